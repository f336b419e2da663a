#include "fiducial/findings/lexicon.h"

#include <string>

#include <gtest/gtest.h>

#include "fiducial/findings/phrase_pattern.h"

namespace fiducial {
namespace {

std::string refusal(std::string_view text) {
  const Result<Lexicon> parsed = Lexicon::parse(text);
  return parsed.ok() ? "accepted" : parsed.error().text();
}

std::optional<std::string> meaning(const Lexicon& lexicon, const std::vector<std::string>& words) {
  std::vector<WordId> ids;
  for (const std::string& word : words)
    ids.push_back(word == "-" ? Lexicon::joining_sign : lexicon.word(word));
  const auto match = lexicon.longest_match(ids);
  if (!match) return std::nullopt;
  return lexicon.concepts()[match->what].name + " " + std::string(match->words, '*');
}

TEST(PhrasePattern, writes_out_options_and_choices) {
  EXPECT_EQ(*expanded_pattern("node(s)"), (std::vector<std::string>{"node", "nodes"}));
  EXPECT_EQ(*expanded_pattern("{Lung,chest} wall"), (std::vector<std::string>{"chest wall", "lung wall"}));
  EXPECT_EQ(*expanded_pattern("ground-glass (like )area"),
            (std::vector<std::string>{"ground glass area", "ground glass like area"}));
  EXPECT_EQ(*expanded_pattern("a({b,c})"), (std::vector<std::string>{"a", "ab", "ac"}));
}

TEST(PhrasePattern, refuses_open_brackets_and_explosions) {
  EXPECT_FALSE(expanded_pattern("node(s").ok());
  EXPECT_FALSE(expanded_pattern("node{s)").ok());
  EXPECT_FALSE(expanded_pattern("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)(m)(n)").ok());
}

TEST(Lexicon, takes_the_longest_phrase) {
  const Result<Lexicon> lexicon =
      Lexicon::parse("[finding node]\nnode\n[finding lymph]\nlymph node(s)\n[anatomy x]\nlymph");
  ASSERT_TRUE(lexicon.ok()) << lexicon.error().text();
  EXPECT_EQ(meaning(*lexicon, {"lymph", "nodes", "node"}), "lymph **");
  EXPECT_EQ(meaning(*lexicon, {"lymph", "-", "node"}), "lymph ***");
  EXPECT_EQ(meaning(*lexicon, {"lymph", "-", "stone"}), "x *");
  EXPECT_EQ(meaning(*lexicon, {"stone"}), std::nullopt);
}

TEST(Lexicon, keeps_two_words_apart_that_are_joined_by_a_sign_if_the_phrase_says_so) {
  const Result<Lexicon> lexicon =
      Lexicon::parse("[finding haze]\nground glass | ground glass _mass\n[finding mass]\nmass");
  ASSERT_TRUE(lexicon.ok()) << lexicon.error().text();
  EXPECT_EQ(meaning(*lexicon, {"ground", "-", "glass", "mass"}), "haze ****");
  EXPECT_EQ(meaning(*lexicon, {"ground", "glass", "-", "mass"}), "haze **");
}

TEST(Lexicon, knows_long_words_of_findings_with_one_letter_off) {
  const Result<Lexicon> lexicon = Lexicon::parse("[finding x]\natelectasis | effusion\n[cue y]\nrecommended");
  ASSERT_TRUE(lexicon.ok());
  for (const char* word : {"atelectasis", "atelctasis", "atelectassis", "atelextasis", "ateelctasis",
                           "atelectasi", "telectasis"}) {
    EXPECT_EQ(lexicon->word(word), lexicon->word("atelectasis")) << word;
  }
  for (const char* word : {"atelectatic", "efusion", "recomended", "atlectass"}) {
    EXPECT_EQ(lexicon->word(word), unknown_word) << word;
  }
}

TEST(Lexicon, names_the_line_it_cannot_read) {
  EXPECT_EQ(refusal("# nothing\n"), "lexicon, line 1: no concept");
  EXPECT_EQ(refusal("node"), "lexicon, line 1: a phrase before the first concept");
  EXPECT_EQ(refusal("[thing node]"), "lexicon, line 1: a kind is cue, anatomy, finding or disorder");
  EXPECT_EQ(refusal("[finding a]\nx\n[finding b]\nx"), "lexicon, line 4: \"x\" already means a");
  EXPECT_EQ(refusal("[finding a]\n_x"), "lexicon, line 2: \"_\" stands between two words");
  EXPECT_EQ(refusal("[finding a]\n[cue a]"), "lexicon, line 2: a second concept \"a\"");
}

TEST(Lexicon, of_chest_ct_has_no_phrase_with_two_meanings) {
  EXPECT_GT(Lexicon::chest_ct().concepts().size(), 60U);
}

}  // namespace
}  // namespace fiducial
