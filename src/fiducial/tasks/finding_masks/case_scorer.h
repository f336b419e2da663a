#pragma once

#include <optional>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/file.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/tasks/finding_masks/case_score.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

// Scores cases of a dataset against predictions by a plan. Safe to call from several threads.
class CaseScorer {
 public:
  // What may be known of a case beside its masks.
  struct Sources {
    std::optional<Path> volumes;               // folder of the CTs
    const PredictionFiles* ignored = nullptr;  // masks of ignored regions
    CaseLimits limits = {};                    // of what a prediction may cost
  };

  // Without files every prediction is handed to score().
  CaseScorer(const GroundedDataset& dataset, const PredictionFiles* predictions, const MaskPlan& plan,
             Sources sources);

  // An error is a broken dataset, or in official mode a prediction the published scorer stops at. What is
  // wrong with a prediction otherwise is part of the score.
  Result<CaseScore> score(const GroundedCase& entry) const;
  // The same for a prediction that has been read already; nothing where it is missing.
  Result<CaseScore> score(const GroundedCase& entry, const std::optional<MaskRead>& prediction) const;
  // Whether an earlier score of the case still stands: its masks, ignored regions and prediction have the
  // bytes they had then, and the CT, or its absence, says the same of the place of the voxels.
  bool still_true(const CaseScore& earlier, const GroundedCase& entry) const;

 private:
  struct Truth;
  Result<Truth> read_truth(const GroundedCase& entry) const;
  Result<std::optional<NiftiHeader>> read_volume(const GroundedCase& entry) const;
  Result<std::optional<Grid>> checked_volume_grid(const GroundedCase& entry, const Truth& truth,
                                                  const Result<std::optional<NiftiHeader>>& read) const;
  Outcome read_ignored(const GroundedCase& entry, Truth& truth) const;
  FindingContext context_of(const Truth& truth, const FindingScore& finding) const;
  CaseScore unscored(const GroundedCase& entry, const Truth& truth) const;
  std::optional<MaskRead> read_prediction(const GroundedCase& entry, const Truth& truth) const;
  Outcome score_prediction(const std::optional<MaskRead>& prediction, const Truth& truth,
                           const CaseBudget& budget, CaseScore& out) const;
  // Scores a case whose prediction cannot be used as if it were missing, with the reason.
  Outcome fail_prediction(const Error& error, const Truth& truth, CaseScore& out) const;
  // Ends early where the budget of the case is overdrawn.
  void score_findings(const Truth& truth, const std::vector<LabelMap>* predicted, const CaseBudget& budget,
                      CaseScore& out) const;

  const GroundedDataset& dataset_;
  const PredictionFiles* predictions_;
  const MaskPlan& plan_;
  Sources sources_;
  std::vector<PlannedMetric> strict_;
  std::vector<PlannedMetric> official_;
};

}  // namespace fiducial
