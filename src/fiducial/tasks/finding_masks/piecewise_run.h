#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/eval/task/task.h"
#include "fiducial/tasks/finding_masks/case_scorer.h"

namespace fiducial {

// A run whose predictions come from memory, one finding at a time and in any order, as a training loop makes
// them. A case is scored as soon as its last finding is there, so no more than unfinished cases are held.
// Safe to use from several threads; numbers are those of the same masks read from files.
class PiecewiseRun {
 public:
  // Of the options all count that decide numbers. There are no predictions in files.
  static Result<std::unique_ptr<PiecewiseRun>> open(std::shared_ptr<const GroundedDataset> dataset,
                                                    const std::string& benchmark,
                                                    const OptionValues& options);

  // Refuses cases and findings that are not there or were added before, and masks of another extent than the
  // reference's. An error of the reference comes with the finding that completes the case.
  Outcome add(const std::string& case_name, std::int64_t finding, LabelMap prediction);

  std::int64_t cases() const { return static_cast<std::int64_t>(cases_.size()); }
  std::int64_t complete() const;  // cases that have all their findings
  const std::string& split() const { return blank_.split; }

  // The scores of what was added so far. A case without findings is missing, one that lacks some has failed.
  Result<ScoreRun> scored(const Executor& executor, Progress& progress) const;

 private:
  struct Slot {
    ChannelShape shape;
    std::map<std::int64_t, LabelMap> findings;  // empty once scored
    std::optional<CaseScore> score;
    bool being_scored = false;
  };

  PiecewiseRun(std::shared_ptr<const GroundedDataset> dataset, MaskPlan plan, std::vector<GroundedCase> cases,
               TaskRequest request, ScoreRun blank);
  Result<const GroundedCase*> find_case(const std::string& name) const;
  Result<ChannelShape> reference_shape(const GroundedCase& entry) const;
  Result<std::optional<MaskRead>> keep(const GroundedCase& entry, std::int64_t finding, LabelMap prediction);
  Result<CaseScore> score_as_is(const GroundedCase& entry) const;

  std::shared_ptr<const GroundedDataset> dataset_;
  MaskPlan plan_;
  std::vector<GroundedCase> cases_;  // by name
  TaskRequest request_;              // without predictions
  ScoreRun blank_;                   // without cases
  CaseScorer scorer_;
  mutable std::mutex mutex_;  // of slots_
  std::map<std::string, Slot> slots_;
};

}  // namespace fiducial
