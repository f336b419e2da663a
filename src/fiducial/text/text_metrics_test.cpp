#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/base/reference_values.h"
#include "fiducial/text/bleu.h"
#include "fiducial/text/cider.h"
#include "fiducial/text/common_subsequence.h"
#include "fiducial/text/meteor.h"
#include "fiducial/text/porter_stemmer.h"
#include "fiducial/text/rouge.h"
#include "fiducial/text/treebank_words.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

const Json& peers() {
  static const Json values = reference_values("text.json");
  return values;
}

std::vector<std::string> strings(const Json& list) {
  std::vector<std::string> out;
  for (const Json& each : *list.as_array()) out.push_back(*each.as_string());
  return out;
}

std::vector<std::string> references() { return strings(*peers().find("references")); }
std::vector<std::string> predictions() { return strings(*peers().find("predictions")); }

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string_view word : white_space_words(text)) out.push_back(ascii_lower(word));
  return out;
}

void expect_equal(const RougeScore& score, const Json& peer) {
  EXPECT_EQ(score.precision, (*peer.as_array())[0].as_number());
  EXPECT_EQ(score.recall, (*peer.as_array())[1].as_number());
  EXPECT_EQ(score.f1, (*peer.as_array())[2].as_number());
}

void expect_rouge(Stemming stemming, const std::string& key) {
  RougeWords words(stemming);
  const auto known = references();
  const auto said = predictions();
  for (std::size_t i = 0; i < known.size(); ++i) {
    SCOPED_TRACE(known[i] + " | " + said[i]);
    const RougeScores scores = rouge(words, known[i], said[i]);
    const Json::Array& peer = *(*peers().find(key)->as_array())[i].as_array();
    expect_equal(scores.rouge_1, peer[0]);
    expect_equal(scores.rouge_2, peer[1]);
    expect_equal(scores.rouge_l, peer[2]);
    expect_equal(scores.rouge_lsum, peer[3]);
  }
}

BleuCounts corpus_counts(BleuWords words) {
  BleuCounter counter(words);
  BleuCounts sum;
  const auto known = references();
  const auto said = predictions();
  for (std::size_t i = 0; i < known.size(); ++i) sum += counter.count(known[i], said[i]);
  return sum;
}

// The table of lengths, walked back by the published tie rule.
std::vector<std::size_t> obvious_places(const std::vector<WordId>& a, const std::vector<WordId>& b) {
  std::vector<std::vector<int>> table(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] =
          a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  std::vector<std::size_t> out;
  std::size_t i = a.size();
  std::size_t j = b.size();
  while (i > 0 && j > 0) {
    if (a[i - 1] == b[j - 1]) {
      out.push_back(i - 1);
      --i;
      --j;
    } else if (table[i][j - 1] > table[i - 1][j]) {
      --j;
    } else {
      --i;
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<WordId> random_words(Random& random, std::int64_t most, std::int64_t kinds) {
  std::vector<WordId> out(static_cast<std::size_t>(random.between(0, most)));
  for (WordId& word : out) word = static_cast<WordId>(random.between(0, kinds - 1));
  return out;
}

}  // namespace

TEST(PorterStemmer, gives_the_stems_of_nltk) {
  for (const Json& pair : *peers().find("stems")->as_array()) {
    const std::string& word = *(*pair.as_array())[0].as_string();
    EXPECT_EQ(porter_stem(word), *(*pair.as_array())[1].as_string()) << word;
  }
}

TEST(PorterStemmer, counts_letters_beyond_ascii_once_as_nltk_does) {
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"és", "és"},  {"îes", "îe"},  {"éy", "éy"},        {"ödemy", "ödemi"}, {"naïvely", "naïv"},
      {"ées", "ée"}, {"ßed", "ßed"}, {"créées", "créée"}, {"œdèmes", "œdème"}};
  for (const auto& [word, stem] : pairs) EXPECT_EQ(porter_stem(word), stem);
}

TEST(CommonSubsequence, is_that_of_the_whole_table) {
  Random random(5);
  for (int round = 0; round < 400; ++round) {
    const auto a = random_words(random, 150, random.between(1, 12));
    const auto b = random_words(random, 150, random.between(1, 12));
    const auto places = obvious_places(a, b);
    EXPECT_EQ(common_subsequence_places(a, b), places);
  }
}

TEST(WordOverlap, is_what_counting_one_by_one_gives) {
  const auto shared = [](auto a, auto b) {
    std::size_t count = 0;
    for (const auto& item : a) {
      const auto at = std::find(b.begin(), b.end(), item);
      if (at == b.end()) continue;
      b.erase(at);
      ++count;
    }
    return count;
  };
  const auto pairs = [](const std::vector<WordId>& words) {
    std::vector<std::pair<WordId, WordId>> out;
    for (std::size_t i = 1; i < words.size(); ++i) out.emplace_back(words[i - 1], words[i]);
    return out;
  };
  Random random(9);
  WordOverlap overlap;
  for (int round = 0; round < 300; ++round) {
    // Every tenth pair has more different words than fit the table of pairs.
    const std::int64_t kinds = round % 10 == 0 ? 2000 : random.between(1, 40);
    const auto a = random_words(random, round % 10 == 0 ? 900 : 150, kinds);
    const auto b = random_words(random, round % 10 == 0 ? 900 : 150, kinds);
    const WordOverlap::Counts counts = overlap.count(a, b);
    EXPECT_EQ(counts.words, shared(a, b));
    EXPECT_EQ(counts.pairs, shared(pairs(a), pairs(b)));
    EXPECT_EQ(counts.subsequence, common_subsequence_places(a, b).size());
  }
}

TEST(Rouge, equals_rouge_score_with_stems) { expect_rouge(Stemming::porter, "rouge_stem"); }
TEST(Rouge, equals_rouge_score_without_stems) { expect_rouge(Stemming::none, "rouge_nostem"); }

TEST(RougeWords, lower_case_the_only_two_letters_beyond_ascii_that_become_ascii) {
  RougeWords words(Stemming::none);
  EXPECT_EQ(words.words("\xC4\xB0stanbul \xE2\x84\xAA"), words.words("i stanbul k"));
  EXPECT_EQ(words.words("na\xC3\xAFve"), words.words("na ve"));
}

TEST(Words13a, are_those_of_sacrebleu) {
  const auto known = references();
  const Json::Array& peer = *peers().find("tokens_13a")->as_array();
  for (std::size_t i = 0; i < peer.size(); ++i) EXPECT_EQ(words_13a(known[i]), strings(peer[i]));
}

TEST(Words13a, keep_numbers_and_split_the_rest) {
  EXPECT_EQ(words_13a("3.5-cm (a,b) 1,000."),
            (std::vector<std::string>{"3.5", "-", "cm", "(", "a", ",", "b", ")", "1,000", "."}));
  EXPECT_EQ(words_13a("a &lt;skipped&gt; <skipped>b-\nc"),
            (std::vector<std::string>{"a", "<", "skipped", ">", "bc"}));
}

TEST(Bleu, equals_sacrebleu_for_a_corpus_and_for_single_texts) {
  const Json::Array& peer = *peers().find("sacrebleu_13a")->as_array();
  EXPECT_NEAR(bleu_sacre(corpus_counts(BleuWords::words_13a), 4, false), *peer[0].as_number(), 1e-9);
  BleuCounter counter(BleuWords::words_13a);
  const auto known = references();
  const auto said = predictions();
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_NEAR(bleu_sacre(counter.count(known[i], said[i]), 4, true), *peer[i + 1].as_number(), 1e-9)
        << known[i] << " | " << said[i];
  }
}

TEST(Bleu, equals_nltk_and_the_coco_evaluation) {
  const BleuCounts counts = corpus_counts(BleuWords::white_space);
  for (int order = 1; order <= 4; ++order) {
    const auto n = static_cast<std::size_t>(order - 1);
    EXPECT_NEAR(bleu_nltk(counts, order), *(*peers().find("nltk_bleu")->as_array())[n].as_number(), 1e-12);
    EXPECT_NEAR(bleu_coco(counts, order), *(*peers().find("coco_bleu")->as_array())[n].as_number(), 1e-12);
  }
}

TEST(Bleu, adds_one_at_every_order) {
  BleuCounter counter(BleuWords::words_13a);
  const BleuCounts counts = counter.count("a b c d", "a b x d");
  EXPECT_NEAR(bleu_add_one(counts, 1), 4.0 / 5, 1e-15);
  EXPECT_NEAR(bleu_add_one(counts, 2), std::sqrt(4.0 / 5 * 2.0 / 4), 1e-15);
  EXPECT_EQ(bleu_add_one(counter.count("a", ""), 4), 0);
}

TEST(CiderD, equals_the_coco_evaluation) {
  const auto scores = cider_d(references(), predictions());
  const Json::Array& peer = *peers().find("cider_d")->as_array();
  ASSERT_EQ(scores.size(), peer.size());
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(scores[i], *peer[i].as_number(), 1e-12) << i;
}

TEST(CiderD, is_zero_for_a_corpus_of_one) { EXPECT_EQ(cider_d({"a b"}, {"a b"}), std::vector<double>{0}); }

TEST(Meteor, equals_nltk_without_wordnet) {
  const auto known = references();
  const auto said = predictions();
  const Json::Array& peer = *peers().find("meteor")->as_array();
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_NEAR(meteor(split(known[i]), split(said[i])), *peer[i].as_number(), 1e-12)
        << known[i] << " | " << said[i];
  }
}

TEST(TreebankWords, split_what_stands_alone) {
  EXPECT_EQ(treebank_words("Don't (ever), 3.5 mm vs. 1,2; cannot. The lung's \"x\"."),
            (std::vector<std::string>{"do",  "n't", "(", "ever", ")",    ",",  "3.5", "mm", "vs.", "1,2", ";",
                                      "can", "not", ".", "the",  "lung", "'s", "''",  "x",  "''",  "."}));
  EXPECT_EQ(treebank_words("Ödem (ÉLARGI)"), (std::vector<std::string>{"ödem", "(", "élargi", ")"}));
  EXPECT_TRUE(treebank_words("").empty());
}

// A search that begins anew at every mark would take minutes.
TEST(TreebankWords, read_a_megabyte_of_marks) {
  const std::string marks(std::size_t{1} << 20, '.');
  EXPECT_EQ(treebank_words(marks), std::vector<std::string>{marks});
  EXPECT_EQ(treebank_words(marks + " a").size(), 2U);
}

}  // namespace fiducial
