#include "fiducial/text/bleu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fiducial/text/words.h"

namespace fiducial {

namespace {

double as_double(std::int64_t value) { return static_cast<double>(value); }

// 1 for a prediction that is longer than its reference, exp(1 - reference / prediction) otherwise.
double brevity_penalty(const BleuCounts& counts) {
  if (counts.prediction_words > counts.reference_words) return 1;
  if (counts.prediction_words == 0) return 0;
  return std::exp(1 - as_double(counts.reference_words) / as_double(counts.prediction_words));
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    matches[n] += other.matches[n];
    possible[n] += other.possible[n];
    possible_at_least_one[n] += other.possible_at_least_one[n];
  }
  prediction_words += other.prediction_words;
  reference_words += other.reference_words;
  return *this;
}

std::vector<WordId> BleuCounter::words(std::string_view text) {
  const std::string spaced = words_ == BleuWords::words_13a ? spaced_13a(text) : std::string();
  std::vector<WordId> ids;
  for (const std::string_view word : white_space_words(words_ == BleuWords::words_13a ? spaced : text)) {
    ids.push_back(vocabulary_.id_of(word));
  }
  return ids;
}

BleuCounts BleuCounter::count(std::string_view reference, std::string_view prediction) {
  const std::vector<WordId> known = words(reference);
  const std::vector<WordId> said = words(prediction);
  BleuCounts out{.matches = shared_.count(known, said),
                 .prediction_words = static_cast<std::int64_t>(said.size()),
                 .reference_words = static_cast<std::int64_t>(known.size())};
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    out.possible[n] = static_cast<std::int64_t>(said.size() - std::min(said.size(), n));
    out.possible_at_least_one[n] = std::max<std::int64_t>(out.possible[n], 1);
  }
  return out;
}

double bleu_add_one(const BleuCounts& counts, int order) {
  double logs = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(order); ++n) {
    logs += 1.0 / order * std::log(as_double(counts.matches[n] + 1) / as_double(counts.possible[n] + 1));
  }
  return std::exp(logs) * brevity_penalty(counts);
}

double bleu_coco(const BleuCounts& counts, int order) {
  constexpr double tiny = 1e-15;
  constexpr double small = 1e-9;
  double product = 1;
  for (std::size_t n = 0; n < static_cast<std::size_t>(order); ++n) {
    product *= (as_double(counts.matches[n]) + tiny) / (as_double(counts.possible[n]) + small);
  }
  const double ratio =
      (as_double(counts.prediction_words) + tiny) / (as_double(counts.reference_words) + small);
  const double mean = std::pow(product, 1.0 / order);
  return ratio < 1 ? mean * std::exp(1 - 1 / ratio) : mean;
}

double bleu_nltk(const BleuCounts& counts, int order) {
  if (counts.matches[0] == 0) return 0;
  double logs = 0;
  for (std::size_t n = 0; n < static_cast<std::size_t>(order); ++n) {
    const double precision = counts.matches[n] == 0
                                 ? std::numeric_limits<double>::min()
                                 : as_double(counts.matches[n]) / as_double(counts.possible_at_least_one[n]);
    logs += 1.0 / order * std::log(precision);
  }
  return brevity_penalty(counts) * std::exp(logs);
}

double bleu_sacre(const BleuCounts& counts, int order, bool effective_order) {
  const auto orders = static_cast<std::size_t>(order);
  if (std::all_of(counts.matches.begin(), counts.matches.begin() + order, [](auto m) { return m == 0; })) {
    return 0;
  }
  double logs = 0;
  double smoothing = 1;
  std::size_t used = 0;
  for (; used < orders && counts.possible[used] > 0; ++used) {
    double precision = 100.0 * as_double(counts.matches[used]) / as_double(counts.possible[used]);
    if (counts.matches[used] == 0) {
      smoothing *= 2;
      precision = 100.0 / (smoothing * as_double(counts.possible[used]));
    }
    logs += std::log(precision);
  }
  if (used == 0 || (used < orders && !effective_order)) return 0;
  const double penalty = counts.prediction_words < counts.reference_words ? brevity_penalty(counts) : 1.0;
  return penalty * std::exp(logs / as_double(static_cast<std::int64_t>(used)));
}

}  // namespace fiducial
