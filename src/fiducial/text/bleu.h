#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "fiducial/text/ngrams.h"

namespace fiducial {

// How a text becomes words before n-grams are counted.
enum class BleuWords { white_space, words_13a };

// What BLEU needs to know of a pair, or of the pairs of a corpus together. Adds up.
struct BleuCounts {
  std::array<std::int64_t, longest_ngram> matches{};   // clipped, by n - 1
  std::array<std::int64_t, longest_ngram> possible{};  // in the prediction
  std::array<std::int64_t, longest_ngram> possible_at_least_one{};
  std::int64_t prediction_words = 0;
  std::int64_t reference_words = 0;

  BleuCounts& operator+=(const BleuCounts& other);
  friend bool operator==(const BleuCounts&, const BleuCounts&) = default;
};

// Counts pairs of texts. Keeps every word it has seen. One thread at a time.
class BleuCounter {
 public:
  explicit BleuCounter(BleuWords words) : words_(words) {}

  BleuCounts count(std::string_view reference, std::string_view prediction);

 private:
  std::vector<WordId> words(std::string_view text);

  BleuWords words_;
  Vocabulary vocabulary_;
  SharedNgrams shared_;
};

// BLEU of orders 1 to `order` by different rules for zero counts and short predictions; see the contracts.
double bleu_add_one(const BleuCounts& counts, int order);
double bleu_coco(const BleuCounts& counts, int order);
double bleu_nltk(const BleuCounts& counts, int order);
// From 0 to 100. With an effective order, orders that the prediction is too short for are left out.
double bleu_sacre(const BleuCounts& counts, int order, bool effective_order);

}  // namespace fiducial
