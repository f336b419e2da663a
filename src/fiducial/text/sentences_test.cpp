#include "fiducial/text/sentences.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

using Texts = std::vector<std::string>;

Texts contents(std::string_view text, SentenceRule rule = SentenceRule::clinical) {
  Texts found;
  for (const Sentence& sentence : split_sentences(text, rule)) found.emplace_back(sentence.content.of(text));
  return found;
}

std::string rebuilt(std::string_view text, SentenceRule rule) {
  std::string whole;
  std::size_t end = 0;
  for (const Sentence& sentence : split_sentences(text, rule)) {
    EXPECT_EQ(sentence.span.begin, end);
    EXPECT_GE(sentence.content.begin, sentence.span.begin);
    EXPECT_LE(sentence.content.end, sentence.span.end);
    EXPECT_LE(sentence.content.begin, sentence.content.end);
    end = sentence.span.end;
    whole += sentence.span.of(text);
  }
  return whole;
}

TEST(Sentences, end_at_periods_and_semicolons) {
  EXPECT_EQ(contents("Heart is normal. When seen in the lung window; both lungs are clear."),
            (Texts{"Heart is normal", "When seen in the lung window", "both lungs are clear"}));
}

TEST(Sentences, keep_decimals_dates_and_products_together) {
  EXPECT_EQ(contents("A node of 13x9.3 mm on 26.03.2018 was 1,5 cm."),
            (Texts{"A node of 13x9.3 mm on 26.03.2018 was 1,5 cm"}));
}

TEST(Sentences, end_after_a_truncated_measurement) {
  EXPECT_EQ(contents("A mass of 5x4x5. On the right a cyst."),
            (Texts{"A mass of 5x4x5", "On the right a cyst"}));
}

TEST(Sentences, end_where_the_space_after_the_period_is_missing) {
  EXPECT_EQ(contents("Hernia at the lower end.No node was seen."),
            (Texts{"Hernia at the lower end", "No node was seen"}));
}

TEST(Sentences, begin_at_bullets_and_at_quotes_used_as_bullets) {
  EXPECT_EQ(contents("\xE2\x80\xA2 Nodules. \xE2\x80\xA2 Cyst \xE2\x80\xA2 Hernia"),
            (Texts{"Nodules", "Cyst", "Hernia"}));
  EXPECT_EQ(contents("\" Emphysema \" Hernia.\" Cyst of 3 mm"),
            (Texts{"Emphysema", "Hernia", "Cyst of 3 mm"}));
}

TEST(Sentences, keep_a_question_in_parentheses_with_its_sentence) {
  EXPECT_EQ(contents("Mosaic pattern (airway disease? vessel disease?) in both lungs. Cyst? Hernia?"),
            (Texts{"Mosaic pattern (airway disease? vessel disease?) in both lungs", "Cyst?", "Hernia?"}));
}

TEST(Sentences, take_lines_of_a_list_apart_and_join_wrapped_lines) {
  EXPECT_EQ(contents("Emphysema\n- Cyst of the\nleft kidney\nHernia"),
            (Texts{"Emphysema", "Cyst of the\nleft kidney", "Hernia"}));
}

TEST(Sentences, follow_the_published_cut_when_asked) {
  constexpr auto published = SentenceRule::published;
  EXPECT_EQ(contents("No mass on CT. Bones are intact; Cyst? Fine.", published),
            (Texts{"No mass on CT. Bones are intact", "Cyst? Fine"}));
  EXPECT_EQ(contents("Seen (a). . Next one.", published), (Texts{"Seen (a)", ". Next one"}));
}

TEST(Sentences, end_after_an_abbreviation_in_capitals) {
  EXPECT_EQ(contents("Nodule in the RUL. The heart is normal. Stent in the LAD. No LAP."),
            (Texts{"Nodule in the RUL", "The heart is normal", "Stent in the LAD", "No LAP"}));
  EXPECT_EQ(contents("Nodule in the RUL. Status post lobectomy", SentenceRule::published),
            (Texts{"Nodule in the RUL", "Status post lobectomy"}));
}

TEST(Sentences, do_not_end_after_a_title) {
  EXPECT_EQ(contents("Discussed with Dr. Smith. No nodule."),
            (Texts{"Discussed with Dr. Smith", "No nodule"}));
}

TEST(Sentences, give_one_empty_sentence_for_text_without_words) {
  EXPECT_EQ(contents(" . \n"), Texts{""});
  EXPECT_EQ(contents(""), Texts{});
}

TEST(Sentences, give_random_text_back_byte_for_byte) {
  constexpr std::string_view pieces[] = {"a",
                                         "B",
                                         "3",
                                         ".",
                                         ";",
                                         "?",
                                         " ",
                                         "\n",
                                         "(",
                                         ")",
                                         "\"",
                                         "-",
                                         "\xE2\x80\xA2",
                                         "\xC2\xB7",
                                         "\xFF",
                                         "5x4x5. On",
                                         "9.5 mm",
                                         "e.g. x",
                                         "!",
                                         ","};
  Random random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (auto count = random.between(0, 30); count > 0; --count) {
      text += pieces[static_cast<std::size_t>(random.between(0, std::size(pieces) - 1))];
    }
    for (const SentenceRule rule : {SentenceRule::clinical, SentenceRule::published}) {
      EXPECT_EQ(rebuilt(text, rule), text);
    }
  }
}

}  // namespace
}  // namespace fiducial
