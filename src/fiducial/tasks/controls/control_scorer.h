#pragma once

#include <string>
#include <vector>

#include "fiducial/base/case_budget.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/tasks/controls/control_score.h"

namespace fiducial {

// Scores the prompts of cases one by one; safe from several threads.
class ControlScorer {
 public:
  using Scored = ControlScore;

  // A case and what its channels ask.
  struct Case {
    GroundedCase entry;
    const std::vector<ControlPrompt>* prompts = nullptr;
  };

  ControlScorer(const GroundedDataset& dataset, const PredictionFiles& predictions, std::vector<Case> cases,
                const CaseLimits& limits)
      : dataset_(dataset), predictions_(predictions), cases_(std::move(cases)), limits_(limits) {}

  std::size_t size() const { return cases_.size(); }
  const std::string& name(std::size_t at) const { return cases_[at].entry.name; }
  // An error is a broken dataset; what is wrong with a prediction is part of the score.
  Result<ControlScore> score(std::size_t at) const;
  // Whether the files of an earlier score have the bytes they had then.
  bool still_true(const ControlScore& earlier, std::size_t at) const;
  static Json to_json(const ControlScore& score) { return fiducial::to_json(score); }
  Result<ControlScore> parse(const Json& value) const { return parse_control_score(value); }

 private:
  Result<MaskFile> read_reference(const Case& one, ControlScore& out) const;

  const GroundedDataset& dataset_;
  const PredictionFiles& predictions_;
  std::vector<Case> cases_;
  CaseLimits limits_;
};

}  // namespace fiducial
