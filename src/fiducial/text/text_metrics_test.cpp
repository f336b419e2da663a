#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/base/reference_values.h"
#include "fiducial/text/bleu.h"
#include "fiducial/text/cider.h"
#include "fiducial/text/common_subsequence.h"
#include "fiducial/text/meteor.h"
#include "fiducial/text/ngrams.h"
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

namespace {

// Few words, so that they repeat; some share a stem, some are synonyms of a stem.
std::vector<std::string> random_words(Random& random) {
  const std::vector<std::string> all{"cyst", "cysts", "sac", "sacs",   "nodule", "nodular", "mass",
                                     "lung", "lungs", "a",   "lesion", "run",    "running", "jog"};
  std::vector<std::string> out(random.below(14));
  for (std::string& word : out) word = all[random.below(all.size())];
  return out;
}

class FewSynonyms final : public Synonyms {
 public:
  std::vector<std::string> of(const std::string& word) const override {
    if (word == "cyst") return {"cyst", "sac", "lesion"};
    if (word == "lesion") return {"mass", "cyst"};
    return word == "jog" ? std::vector<std::string>{"run"} : std::vector<std::string>{};
  }
};

using WordsFor = std::vector<std::string> (*)(const std::string&);
using FreeWords = std::vector<std::pair<std::size_t, std::string>>;  // by place

std::vector<std::string> itself_and_synonyms(const std::string& word) {
  std::vector<std::string> out = FewSynonyms().of(word);
  out.push_back(word);
  return out;
}

// NLTK's loops: from the last predicted word to the first, and for each the last free word of the reference.
void align_obviously(FreeWords& reference, FreeWords& prediction, WordsFor words_for,
                     std::map<std::size_t, std::size_t>& matches) {
  for (std::size_t i = prediction.size(); i-- > 0;) {
    const std::vector<std::string> words = words_for(prediction[i].second);
    for (std::size_t j = reference.size(); j-- > 0;) {
      if (std::find(words.begin(), words.end(), reference[j].second) == words.end()) continue;
      matches[prediction[i].first] = reference[j].first;
      prediction.erase(prediction.begin() + static_cast<std::ptrdiff_t>(i));
      reference.erase(reference.begin() + static_cast<std::ptrdiff_t>(j));
      break;
    }
  }
}

double obvious_meteor(const std::vector<std::string>& reference, const std::vector<std::string>& prediction,
                      bool with_synonyms) {
  FreeWords known;
  FreeWords said;
  for (std::size_t i = 0; i < reference.size(); ++i) known.emplace_back(i, reference[i]);
  for (std::size_t i = 0; i < prediction.size(); ++i) said.emplace_back(i, prediction[i]);
  std::map<std::size_t, std::size_t> matches;
  const WordsFor itself = [](const std::string& word) { return std::vector<std::string>{word}; };
  align_obviously(known, said, itself, matches);
  for (FreeWords* words : {&known, &said}) {
    for (auto& [place, word] : *words) word = porter_stem(word);
  }
  align_obviously(known, said, itself, matches);
  if (with_synonyms) align_obviously(known, said, itself_and_synonyms, matches);
  if (matches.empty()) return 0;
  double chunks = 0;
  for (const auto& [place, partner] : matches) {
    const auto before = place == 0 ? matches.end() : matches.find(place - 1);
    if (before == matches.end() || before->second + 1 != partner) ++chunks;
  }
  const auto matched = static_cast<double>(matches.size());
  const double precision = matched / static_cast<double>(prediction.size());
  const double recall = matched / static_cast<double>(reference.size());
  const double mean = precision * recall / (0.9 * precision + (1 - 0.9) * recall);
  const double fragmentation = chunks / matched;
  return (1 - 0.5 * fragmentation * fragmentation * fragmentation) * mean;
}

}  // namespace

TEST(Meteor, is_what_the_obvious_alignment_gives_pair_after_pair) {
  Random random(11);
  const FewSynonyms synonyms;
  MeteorScorer scorer(&synonyms);
  for (int i = 0; i < 2000; ++i) {
    const auto known = random_words(random);
    const auto said = random_words(random);
    const MeteorScorer::Scores found = scorer.score(known, said);
    EXPECT_EQ(found.plain, obvious_meteor(known, said, false));
    EXPECT_EQ(found.with_synonyms, obvious_meteor(known, said, true));
    EXPECT_EQ(found.plain, meteor(known, said));
  }
}

TEST(SharedNgrams, are_what_sorting_all_of_them_gives) {
  Random random(12);
  SharedNgrams shared;
  for (int i = 0; i < 500; ++i) {
    std::vector<WordId> a(random.below(40));
    std::vector<WordId> b(random.below(40));
    for (auto* words : {&a, &b}) {
      for (WordId& word : *words) word = static_cast<WordId>(random.below(4));
    }
    const auto found = shared.count(a, b);
    for (std::size_t n = 1; n <= longest_ngram; ++n) {
      const auto sorted = [n](const std::vector<WordId>& words) {
        std::vector<std::vector<WordId>> out;
        for (std::size_t at = 0; at + n <= words.size(); ++at) {
          const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
          out.emplace_back(first, first + static_cast<std::ptrdiff_t>(n));
        }
        std::sort(out.begin(), out.end());
        return out;
      };
      const auto left = sorted(a);
      const auto right = sorted(b);
      std::vector<std::vector<WordId>> both;
      std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
      EXPECT_EQ(found[n - 1], static_cast<std::int64_t>(both.size())) << n;
    }
  }
}

TEST(CiderD, is_the_same_for_texts_that_come_one_by_one) {
  const auto known = references();
  const auto said = predictions();
  CiderScorer scorer;
  for (const std::string& text : known) scorer.add_reference(text);
  const auto together = cider_d(known, said);
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_EQ(scorer.score(known[i], said[i]), together[i]) << i;
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
