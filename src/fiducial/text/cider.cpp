#include "fiducial/text/cider.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fiducial/base/error.h"
#include "fiducial/text/ngrams.h"
#include "fiducial/text/words.h"

namespace fiducial {

// How often each n-gram occurs in a corpus: in how many texts.
class CiderFrequency {
 public:
  void add(const Ngrams& sorted) {
    log_texts_ = std::log(++texts_);
    for (std::size_t n = 0; n < longest_ngram; ++n) {
      const std::vector<NgramId>& ids = sorted[n];
      if (!ids.empty() && ids.back() >= counts_[n].size()) counts_[n].resize(ids.back() + std::size_t{1}, 0);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i == 0 || ids[i] != ids[i - 1]) ++counts_[n][ids[i]];
      }
    }
  }

  double rarity(std::size_t n, NgramId id) const {
    const double texts = id < counts_[n].size() ? counts_[n][id] : 0.0;
    return texts > 1 ? log_texts_ - std::log(texts) : log_texts_;
  }

 private:
  double texts_ = 0;
  double log_texts_ = -std::numeric_limits<double>::infinity();
  std::array<std::vector<double>, longest_ngram> counts_;
};

namespace {

struct Weighted {
  NgramId id = 0;
  double weight = 0;  // count times rarity
};

// The n-grams of a text in ascending order with their weights.
struct TextVector {
  std::array<std::vector<Weighted>, longest_ngram> ngrams;
  std::array<double, longest_ngram> norms{};
  double bigrams = 0;
};

TextVector weigh(const Ngrams& sorted, const CiderFrequency& frequency) {
  TextVector out;
  out.bigrams = static_cast<double>(sorted[1].size());
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    const std::vector<NgramId>& ids = sorted[n];
    out.ngrams[n].reserve(ids.size());
    double squares = 0;
    for (std::size_t first = 0; first < ids.size();) {
      std::size_t last = first + 1;
      while (last < ids.size() && ids[last] == ids[first]) ++last;
      const double weight = static_cast<double>(last - first) * frequency.rarity(n, ids[first]);
      out.ngrams[n].push_back({ids[first], weight});
      squares += weight * weight;
      first = last;
    }
    out.norms[n] = std::sqrt(squares);
  }
  return out;
}

double clipped_product(const std::vector<Weighted>& prediction, const std::vector<Weighted>& reference) {
  double sum = 0;
  auto known = reference.begin();
  for (const Weighted& said : prediction) {
    while (known != reference.end() && known->id < said.id) ++known;
    if (known != reference.end() && known->id == said.id) {
      sum += std::min(said.weight, known->weight) * known->weight;
    }
  }
  return sum;
}

double similarity(const TextVector& prediction, const TextVector& reference) {
  constexpr double sigma = 6;
  const double longer = prediction.bigrams - reference.bigrams;
  const double penalty = std::exp(-(longer * longer) / (2 * sigma * sigma));
  double sum = 0;
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    double value = clipped_product(prediction.ngrams[n], reference.ngrams[n]);
    if (prediction.norms[n] != 0 && reference.norms[n] != 0) {
      value /= prediction.norms[n] * reference.norms[n];
    }
    sum += value * penalty;
  }
  return sum / longest_ngram * 10;
}

}  // namespace

struct CiderScorer::State {
  Vocabulary vocabulary;
  NgramVocabulary ngram_ids;
  CiderFrequency frequency;

  // Those of each length in ascending order.
  Ngrams sorted_ngrams(std::string_view text) {
    std::vector<WordId> ids;
    for (const std::string_view word : white_space_words(text)) ids.push_back(vocabulary.id_of(word));
    Ngrams out = ngram_ids.ngrams(ids);
    for (std::vector<NgramId>& each : out) std::sort(each.begin(), each.end());
    return out;
  }

  double score(const Ngrams& reference, const Ngrams& prediction) const {
    return similarity(weigh(prediction, frequency), weigh(reference, frequency));
  }
};

CiderScorer::CiderScorer() : state_(std::make_unique<State>()) {}
CiderScorer::~CiderScorer() = default;

void CiderScorer::add_reference(std::string_view reference) {
  state_->frequency.add(state_->sorted_ngrams(reference));
}

double CiderScorer::score(std::string_view reference, std::string_view prediction) {
  const Ngrams said = state_->sorted_ngrams(prediction);
  return state_->score(state_->sorted_ngrams(reference), said);
}

std::vector<double> CiderScorer::score_all(const std::vector<std::string>& references,
                                           const std::vector<std::string>& predictions) {
  FIDUCIAL_ASSERT(references.size() == predictions.size());
  State state;
  std::vector<Ngrams> known;
  known.reserve(references.size());
  for (const std::string& text : references) {
    known.push_back(state.sorted_ngrams(text));
    state.frequency.add(known.back());
  }
  std::vector<double> out;
  out.reserve(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    out.push_back(state.score(known[i], state.sorted_ngrams(predictions[i])));
    known[i] = {};
  }
  return out;
}

std::vector<double> cider_d(const std::vector<std::string>& references,
                            const std::vector<std::string>& predictions) {
  return CiderScorer::score_all(references, predictions);
}

}  // namespace fiducial
