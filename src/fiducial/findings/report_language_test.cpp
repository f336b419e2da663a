#include "fiducial/findings/report_language.h"

#include <gtest/gtest.h>

namespace fiducial {

namespace {

Legibility legibility_of(std::string_view text) {
  LanguageProbe probe;
  probe.add(text);
  return probe.result();
}

}  // namespace

TEST(LanguageProbe, reads_english_however_short) {
  for (const char* text : {"Normal.", "No PTX, no PE.", "5 mm RUL nodule", "x", "12", "Chest CT normal",
                           "Lungs clear. Heart normal. No effusion.", "Post op changes, sternotomy wires.",
                           "The trachea is open. No nodule was detected in both lungs."})
    EXPECT_EQ(legibility_of(text), Legibility::readable) << text;
}

TEST(LanguageProbe, tells_other_languages) {
  for (const char* text :
       {"Her iki akci\xC4\x9F"
        "erde nod\xC3\xBCl izlenmedi. Mediastinal lenf nodu yok.",
        "Kein Nachweis eines Pleuraergusses. Das Herz ist normal.",
        "No se observan nodulos pulmonares. Derrame pleural bilateral. Corazon de tama\xC3\xB1o normal.",
        "Nessun versamento pleurico. Nodulo polmonare di 5 mm.",
        "\xE4\xB8\xA4\xE8\x82\xBA\xE6\x9C\xAA\xE8\xA7\x81"})
    EXPECT_EQ(legibility_of(text), Legibility::not_english) << text;
}

TEST(LanguageProbe, tells_reports_of_other_parts_of_the_body) {
  for (const char* text : {"MRI of the knee: there is a tear of the medial meniscus and a joint effusion.",
                           "BRAIN CT. No hemorrhage or mass is seen. The ventricles are normal.",
                           "The uterus is enlarged, there is a cyst of the left ovary."})
    EXPECT_EQ(legibility_of(text), Legibility::no_chest) << text;
  for (const char* text :
       {"No nodule is seen in the lungs. There is a fracture of the femur.", "There is a nodule.",
        "The liver and the spleen are normal.", "RUL nodule, and fracture of the skull."})
    EXPECT_EQ(legibility_of(text), Legibility::readable) << text;
}

TEST(LanguageProbe, tells_texts_without_a_word) {
  for (const char* text : {"", "\n", " .\n-;", "?!", "\xE2\x80\xA2 \xC2\xA0\xE2\x80\x93"})
    EXPECT_EQ(legibility_of(text), Legibility::empty) << text;
}

}  // namespace fiducial
