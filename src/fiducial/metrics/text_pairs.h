#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/text/bleu.h"
#include "fiducial/text/cider.h"
#include "fiducial/text/meteor.h"
#include "fiducial/text/rouge.h"

namespace fiducial {

// Predicted texts, each beside its reference.
//
// What several metrics need is computed once, on demand; one thread at a time.
class TextPairs {
 public:
  // Both lists must be of one length, at least 1.
  TextPairs(std::vector<std::string> references, std::vector<std::string> predictions);

  std::size_t size() const { return references_.size(); }
  const std::string& reference(std::size_t pair) const { return references_[pair]; }
  const std::string& prediction(std::size_t pair) const { return predictions_[pair]; }
  // A source of synonyms for METEOR, which must outlive the pairs.
  void use_synonyms(const Synonyms* synonyms) {
    synonyms_ = synonyms;
    meteor_.reset();
  }
  // The references of a larger corpus that these texts are part of, by which CIDEr-D weighs words; must
  // outlive the pairs. Without one it is these texts' own.
  void use_corpus(CiderScorer* corpus) { corpus_ = corpus; }
  bool has_synonyms() const { return synonyms_ != nullptr; }

  // One item a pair.
  const std::vector<RougeScores>& rouge(Stemming stemming) const;
  const std::vector<BleuCounts>& bleu_counts(BleuWords words) const;
  const std::vector<double>& cider_d() const;
  const std::vector<double>& meteor(bool with_synonyms) const;

 private:
  struct MeteorValues {
    std::vector<double> plain;
    std::vector<double> with_synonyms;
  };

  std::vector<std::string> references_;
  std::vector<std::string> predictions_;
  const Synonyms* synonyms_ = nullptr;
  CiderScorer* corpus_ = nullptr;
  mutable std::array<std::optional<std::vector<RougeScores>>, 2> rouge_;
  mutable std::array<std::optional<std::vector<BleuCounts>>, 2> bleu_;
  mutable std::optional<MeteorValues> meteor_;
  mutable std::optional<std::vector<double>> cider_;
};

}  // namespace fiducial
