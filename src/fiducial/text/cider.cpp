#include "fiducial/text/cider.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/error.h"
#include "fiducial/text/ngrams.h"
#include "fiducial/text/words.h"

namespace fiducial {

// How often each n-gram occurs in a corpus: in how many texts.
class CiderFrequency {
 public:
  void add(const Ngrams& text) {
    ++texts_;
    for (std::size_t n = 0; n < longest_ngram; ++n) {
      std::vector<NgramId> distinct = text[n];
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      for (const NgramId id : distinct) {
        if (id >= counts_[n].size()) counts_[n].resize(id + std::size_t{1}, 0);
        ++counts_[n][id];
      }
    }
  }

  double rarity(std::size_t n, NgramId id) const {
    const double texts = id < counts_[n].size() ? counts_[n][id] : 0.0;
    return std::log(texts_) - std::log(std::max(1.0, texts));
  }

 private:
  double texts_ = 0;
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

TextVector weigh(const Ngrams& text, const CiderFrequency& frequency) {
  TextVector out;
  out.bigrams = static_cast<double>(text[1].size());
  for (std::size_t n = 0; n < longest_ngram; ++n) {
    std::vector<NgramId> ids = text[n];
    std::sort(ids.begin(), ids.end());
    double squares = 0;
    for (auto first = ids.begin(); first != ids.end();) {
      const auto last = std::upper_bound(first, ids.end(), *first);
      const double weight = static_cast<double>(last - first) * frequency.rarity(n, *first);
      out.ngrams[n].push_back({*first, weight});
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

  Ngrams ngrams(std::string_view text) {
    std::vector<WordId> ids;
    for (const std::string_view word : white_space_words(text)) ids.push_back(vocabulary.id_of(word));
    return ngram_ids.ngrams(ids);
  }
};

CiderScorer::CiderScorer() : state_(std::make_unique<State>()) {}
CiderScorer::~CiderScorer() = default;

void CiderScorer::add_reference(std::string_view reference) {
  state_->frequency.add(state_->ngrams(reference));
}

double CiderScorer::score(std::string_view reference, std::string_view prediction) {
  const TextVector said = weigh(state_->ngrams(prediction), state_->frequency);
  return similarity(said, weigh(state_->ngrams(reference), state_->frequency));
}

std::vector<double> cider_d(const std::vector<std::string>& references,
                            const std::vector<std::string>& predictions) {
  FIDUCIAL_ASSERT(references.size() == predictions.size());
  CiderScorer scorer;
  for (const std::string& text : references) scorer.add_reference(text);
  std::vector<double> out;
  out.reserve(references.size());
  for (std::size_t i = 0; i < references.size(); ++i) {
    out.push_back(scorer.score(references[i], predictions[i]));
  }
  return out;
}

}  // namespace fiducial
