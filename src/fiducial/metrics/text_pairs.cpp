#include "fiducial/metrics/text_pairs.h"

#include <utility>

#include "fiducial/base/error.h"
#include "fiducial/text/treebank_words.h"

namespace fiducial {

TextPairs::TextPairs(std::vector<std::string> references, std::vector<std::string> predictions)
    : references_(std::move(references)), predictions_(std::move(predictions)) {
  FIDUCIAL_ASSERT(references_.size() == predictions_.size() && !references_.empty());
}

const std::vector<RougeScores>& TextPairs::rouge(Stemming stemming) const {
  auto& kept = rouge_.at(static_cast<std::size_t>(stemming));
  if (kept) return *kept;
  RougeWords words(stemming);
  kept.emplace();
  for (std::size_t i = 0; i < size(); ++i) {
    kept->push_back(fiducial::rouge(words, references_[i], predictions_[i]));
  }
  return *kept;
}

const std::vector<BleuCounts>& TextPairs::bleu_counts(BleuWords words) const {
  auto& kept = bleu_.at(static_cast<std::size_t>(words));
  if (kept) return *kept;
  BleuCounter counter(words);
  kept.emplace();
  for (std::size_t i = 0; i < size(); ++i) kept->push_back(counter.count(references_[i], predictions_[i]));
  return *kept;
}

const std::vector<double>& TextPairs::cider_d() const {
  if (cider_) return *cider_;
  if (corpus_ == nullptr) {
    cider_ = fiducial::cider_d(references_, predictions_);
    return *cider_;
  }
  cider_.emplace();
  for (std::size_t i = 0; i < size(); ++i) cider_->push_back(corpus_->score(references_[i], predictions_[i]));
  return *cider_;
}

const std::vector<double>& TextPairs::meteor(bool with_synonyms) const {
  FIDUCIAL_ASSERT(!with_synonyms || synonyms_ != nullptr);
  if (!meteor_) {
    MeteorScorer scorer(synonyms_);
    meteor_.emplace();
    for (std::size_t i = 0; i < size(); ++i) {
      const auto scores = scorer.score(treebank_words(references_[i]), treebank_words(predictions_[i]));
      meteor_->plain.push_back(scores.plain);
      meteor_->with_synonyms.push_back(scores.with_synonyms);
    }
  }
  return with_synonyms ? meteor_->with_synonyms : meteor_->plain;
}

}  // namespace fiducial
