#include "fiducial/text/label_mentions.h"

#include <gtest/gtest.h>

#include "fiducial/text/folded_words.h"

namespace fiducial {
namespace {

const std::vector<std::string> labels = {"Crohn's disease", "Gastrointestinal stromal tumour (GIST)",
                                         "Tuberculosis", "Pulmonary tuberculosis", "Hæmangioma"};

std::vector<LabelMention> found_in(std::string_view text, const LabelSynonyms& synonyms = {}) {
  return label_mentions(text, labels, synonyms);
}

TEST(FoldedWords, have_no_case_accents_possessives_or_british_spelling) {
  std::vector<std::string> words;
  for (const FoldedWord& word : folded_words("Sjögren’s ŒDEMA; tumour, 3.5 cm β-HCG Ménétrier"))
    words.push_back(word.text);
  EXPECT_EQ(words,
            (std::vector<std::string>{"sjogren", "edema", "tumor", "3", "5", "cm", "β", "hcg", "menetrier"}));
}

TEST(FoldedWords, tell_their_place_in_characters_and_their_sentence) {
  const auto words = folded_words("Ü ½ ab. c 1.5 d?\ne");
  ASSERT_EQ(words.size(), 8U);
  EXPECT_EQ(words[1].begin, 4U);
  EXPECT_EQ(words[1].end, 6U);
  EXPECT_EQ(words[1].verbatim, "ab");
  EXPECT_EQ(words[1].sentence, 0U);
  EXPECT_EQ(words[2].sentence, words[5].sentence);
  EXPECT_NE(words[6].sentence, words[7].sentence);
}

TEST(LabelMentions, are_l3_for_the_label_itself_with_its_span) {
  const auto mentions = found_in("A man – known Crohn disease since 2010.");
  ASSERT_EQ(mentions.size(), 1U);
  EXPECT_EQ(mentions[0].label, 0U);
  EXPECT_EQ(mentions[0].level, LeakLevel::l3);
  EXPECT_EQ(mentions[0].begin, 14U);
  EXPECT_EQ(mentions[0].end, 27U);
  EXPECT_EQ(mentions[0].text, "Crohn disease");
  EXPECT_FALSE(mentions[0].is_negated);
}

TEST(LabelMentions, are_l3_without_and_l2_inside_the_brackets) {
  ASSERT_EQ(found_in("A gastrointestinal stromal tumor.").size(), 1U);
  EXPECT_EQ(found_in("A gastrointestinal stromal tumor.")[0].level, LeakLevel::l3);
  ASSERT_EQ(found_in("Resected GIST.").size(), 1U);
  EXPECT_EQ(found_in("Resected GIST.")[0].level, LeakLevel::l2);
}

TEST(LabelMentions, are_l2_for_synonyms_and_short_ones_count_in_their_own_case_only) {
  const LabelSynonyms synonyms = *LabelSynonyms::parse("# names\ntuberculosis|TB|Koch's disease\n\n");
  EXPECT_EQ(found_in("Koch disease.", synonyms)[0].level, LeakLevel::l2);
  EXPECT_EQ(found_in("History of TB", synonyms).size(), 1U);
  EXPECT_TRUE(found_in("the tb", synonyms).empty());
  EXPECT_TRUE(found_in("the gist of it").empty());
}

TEST(LabelMentions, are_l1_with_a_doubt_before_or_after) {
  for (const char* text : {"Suspected haemangioma of the liver.", "?Hemangioma", "Hemangioma?",
                           "Hemangioma cannot be excluded.", "to rule out a hemangioma"}) {
    const auto mentions = found_in(text);
    ASSERT_EQ(mentions.size(), 1U) << text;
    EXPECT_EQ(mentions[0].level, LeakLevel::l1) << text;
    EXPECT_TRUE(mentions[0].is_uncertain) << text;
    EXPECT_FALSE(mentions[0].is_negated) << text;
  }
}

TEST(LabelMentions, are_l1_for_what_is_to_be_ruled_out_or_was_known) {
  for (const char* text : {"CT to r/o hemangioma.", "R/O hemangioma", "History of haemangioma of the liver.",
                           "Hx of hemangioma", "known case of hemangioma", "consistent with hemangioma"}) {
    const auto mentions = found_in(text);
    ASSERT_EQ(mentions.size(), 1U) << text;
    EXPECT_EQ(mentions[0].level, LeakLevel::l1) << text;
    EXPECT_FALSE(mentions[0].is_negated) << text;
  }
  EXPECT_TRUE(found_in("No history of hemangioma.")[0].is_negated);
  EXPECT_EQ(found_in("History: hemangioma.")[0].level, LeakLevel::l3);
}

TEST(LabelMentions, find_either_half_of_a_name_and_prefixes_without_their_hyphen) {
  const std::vector<std::string> names = {"Dermatomyositis / Polymyositis", "Anti-synthetase syndrome",
                                          "Nodular/diffuse goitre"};
  const auto found = [&names](const char* text) { return label_mentions(text, names, {}); };
  for (const char* text : {"dermatomyositis since 2010", "a polymyositis", "Dermatomyositis/polymyositis"}) {
    ASSERT_EQ(found(text).size(), 1U) << text;
    EXPECT_EQ(found(text)[0].label, 0U) << text;
    EXPECT_EQ(found(text)[0].level, LeakLevel::l3) << text;
  }
  ASSERT_EQ(found("An antisynthetase syndrome.").size(), 1U);
  EXPECT_EQ(found("An antisynthetase syndrome.")[0].label, 1U);
  EXPECT_EQ(found("An antisynthetase syndrome.")[0].level, LeakLevel::l3);
  EXPECT_EQ(found("anti-synthetase syndrome")[0].label, 1U);
  EXPECT_TRUE(found("a nodular shadow").empty());
}

TEST(LabelMentions, say_when_they_are_negated) {
  for (const char* text : {"No evidence of haemangioma.", "without hemangioma", "Hemangioma was excluded."}) {
    const auto mentions = found_in(text);
    ASSERT_EQ(mentions.size(), 1U) << text;
    EXPECT_TRUE(mentions[0].is_negated) << text;
  }
  EXPECT_FALSE(found_in("No fever. Hemangioma seen.")[0].is_negated);
  EXPECT_FALSE(found_in("no fever but hemangioma")[0].is_negated);
}

TEST(LabelMentions, are_l1_for_words_that_stand_apart) {
  const auto mentions = found_in("A stromal mass of the gastrointestinal tract.");
  ASSERT_EQ(mentions.size(), 1U);
  EXPECT_EQ(mentions[0].level, LeakLevel::l1);
  EXPECT_TRUE(found_in("A stromal mass. Gastrointestinal bleeding.").empty());
}

TEST(LabelMentions, are_left_out_inside_a_longer_one) {
  const auto mentions = found_in("pulmonary tuberculosis");
  ASSERT_EQ(mentions.size(), 1U);
  EXPECT_EQ(mentions[0].label, 3U);
}

TEST(LabelMentions, find_nothing_in_signs_that_only_suggest) {
  EXPECT_TRUE(found_in("Cough, weight loss and night sweats; a hemangiomatous texture.").empty());
  EXPECT_TRUE(found_in("").empty());
}

TEST(LabelSynonyms, name_the_line_of_a_group_of_one) {
  const auto broken = LabelSynonyms::parse("a|b\nc\n");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().place().line, 2U);
  EXPECT_FALSE(LabelSynonyms::parse("a|\xff\n").ok());
}

}  // namespace
}  // namespace fiducial
