#include "fiducial/curate/reports/translated_sentence.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string code_of(const char* language, std::string_view source, std::string_view english) {
  return check_translated(**SourceLanguage::find(language), source, english).code;
}

TEST(TranslatedSentences, pass_where_numbers_sides_and_denials_stay) {
  const std::tuple<const char*, const char*, const char*> pairs[] = {
      {"tr", "Sağ akciğer üst lobda 9,3 mm çapında solid nodül izlendi.",
       "A solid nodule of 9.3 mm was seen in the right upper lobe."},
      {"tr", "Her iki akciğerde solunum artefaktı mevcuttur.",
       "There is a respiratory artefact in both lungs."},
      {"tr", "Plevral efüzyon saptanmadı.", "No pleural effusion was detected."},
      {"de", "Kein Pleuraerguss links.", "No pleural effusion on the left."},
      {"fr", "Nodule de 12 mm du lobe supérieur droit.", "A 12 mm nodule of the right upper lobe."},
      {"es", "Sin derrame pleural izquierdo.", "Without left pleural effusion."},
      {"it", "Nodulo di 4,0 mm a sinistra.", "Nodule of 4 mm on the left."},
      {"ru", "Узел 7 мм в правом лёгком.", "A 7 mm node in the right lung."},
      {"zh", "右肺上叶见8毫米结节。", "An 8 mm nodule in the right upper lobe."},
      {"ja", "両側胸水を認めない。", "No bilateral pleural effusion."},
      {"other", "Keskeny 5 mm.", "Narrow, 5 mm on the left."}};
  for (const auto& [language, source, english] : pairs)
    EXPECT_EQ(code_of(language, source, english), "") << source;
}

TEST(TranslatedSentences, are_refused_where_something_changed) {
  const char* nodule = "Sağ akciğerde 9 mm nodül izlendi.";
  EXPECT_EQ(code_of("tr", nodule, "A 6 mm nodule in the right lung."), "changed_number");
  EXPECT_EQ(code_of("tr", nodule, "A 9 cm nodule in the right lung."), "changed_number");
  EXPECT_EQ(code_of("tr", nodule, "A nodule in the right lung."), "changed_number");
  EXPECT_EQ(code_of("tr", nodule, "A 9 mm nodule in the left lung."), "changed_side");
  EXPECT_EQ(code_of("tr", nodule, "A 9 mm nodule in the lung."), "changed_side");
  EXPECT_EQ(code_of("tr", nodule, "A 9 mm nodule in both lungs."), "changed_side");
  EXPECT_EQ(code_of("tr", nodule, "No 9 mm nodule in the right lung."), "changed_polarity");
  EXPECT_EQ(code_of("tr", "Plevral efüzyon saptanmadı.", "Pleural effusion was detected."),
            "changed_polarity");
  EXPECT_EQ(code_of("tr", nodule, " "), "lost_sentence");
  EXPECT_EQ(code_of("other", "Keskeny 5 mm.", "Narrow, 6 mm."), "changed_number");
}

TEST(TranslatedSentences, have_numbers_as_they_are_written_anywhere) {
  EXPECT_EQ(numbers_in("15x9 mm, T12, 01.02.2023, 9,30 cm, 40%, 3."),
            (std::vector<std::string>{"01.02.2023", "12", "15", "3", "40%", "9.3cm", "9mm"}));
  EXPECT_TRUE(numbers_in("none").empty());
}

TEST(SourceLanguages, are_found_by_their_code) {
  EXPECT_TRUE(SourceLanguage::find("tr").ok());
  EXPECT_FALSE(SourceLanguage::find("xx").ok());
  EXPECT_EQ(SourceLanguage::codes().back(), "other");
}

}  // namespace
}  // namespace fiducial
