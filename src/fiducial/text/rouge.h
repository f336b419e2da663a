#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/text/vocabulary.h"
#include "fiducial/text/word_overlap.h"

namespace fiducial {

enum class Stemming { none, porter };

// Precision, recall and their harmonic mean.
struct RougeScore {
  double precision = 0;
  double recall = 0;
  double f1 = 0;

  friend bool operator==(const RougeScore&, const RougeScore&) = default;
};

struct RougeScores {
  RougeScore rouge_1;
  RougeScore rouge_2;
  RougeScore rouge_l;
  RougeScore rouge_lsum;  // sentences end at line ends
};

// Words of a to z and 0 to 9 in lower case, stemmed or not, as the package rouge-score makes them. Every
// distinct word is stemmed once. One thread at a time.
class RougeWords {
 public:
  explicit RougeWords(Stemming stemming) : stemming_(stemming) {}

  std::vector<WordId> words(std::string_view text);
  WordOverlap::Counts overlap(std::span<const WordId> a, std::span<const WordId> b) {
    return overlap_.count(a, b);
  }

 private:
  WordId id_of(std::string_view word);
  std::size_t read_word(std::string_view text);

  Stemming stemming_;
  Vocabulary stems_;
  Vocabulary unstemmed_;
  std::vector<WordId> stem_ids_;  // of each unstemmed word
  std::string word_;              // that is being read, in lower case
  WordOverlap overlap_;
};

// Equal to rouge-score to the last bit, for one reference.
RougeScores rouge(RougeWords& words, std::string_view reference, std::string_view prediction);

}  // namespace fiducial
