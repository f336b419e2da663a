#include <algorithm>
#include <map>
#include <system_error>

#include "fiducial/base/progress.h"
#include "fiducial/eval/anatomy_score.h"
#include "fiducial/eval/table_score.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

// Where the scores of a structure are counted: the unit of its case and one of its regions, else the first
// unit of its case.
class MaskUnits {
 public:
  explicit MaskUnits(const TaskRun& run) {
    for (std::size_t i = 0; i < run.units.size(); ++i) {
      const std::string& name = run.cases[run.units[i].at].name;
      units_[volume_stem(name)].emplace(run.parts[run.units[i].part], i);
      first_.emplace(volume_stem(name), i);
    }
  }

  std::optional<std::size_t> of(const AnatomyRow& row) const {
    const auto parts = units_.find(volume_stem(row.volume));
    if (parts == units_.end()) return std::nullopt;
    for (const std::string& region : row.regions) {
      const auto found = parts->second.find(region);
      if (found != parts->second.end()) return found->second;
    }
    return first_.at(parts->first);
  }

 private:
  std::map<std::string, std::map<std::string, std::size_t>> units_;
  std::map<std::string, std::size_t> first_;
};

TaskMeasure mask_measure(const char* slot, const char* metric, std::size_t units) {
  return {.slot = slot,
          .contract = &find_mask_metric(metric)->contract,
          .sums = std::vector<double>(units),
          .weights = std::vector<double>(units)};
}

void count_score(TaskMeasure& measure, std::size_t unit, const Score& score) {
  if (!score.defined()) return;
  measure.sums[unit] += score.value();
  measure.weights[unit] += 1;
}

TaskScores mask_scores(const AnatomyScores& scores, const TaskRun& run) {
  const std::size_t units = run.units.size();
  TaskScores task{.task = "masks", .absence = "no structure was scored"};
  task.counts.resize(units);
  task.failed.resize(units);
  task.measures = {mask_measure("mask_dice", "dice", units), mask_measure("mask_nsd", "nsd_surfel", units),
                   mask_measure("mask_hd95", "hd95_surfel_directed_max", units)};
  const MaskUnits places(run);
  for (const AnatomyRow& row : scores.rows) {
    const auto unit = places.of(row);
    if (!unit || !row.dice.defined()) continue;
    ++task.counts[*unit];
    if (row.prediction != MaskStatus::present && row.prediction != MaskStatus::empty) ++task.failed[*unit];
    count_score(task.measures[0], *unit, row.dice);
    count_score(task.measures[1], *unit, row.nsd);
    count_score(task.measures[2], *unit, row.hd95);
  }
  return task;
}

}  // namespace

Outcome score_table_masks(const TableScoreRequest& request, TaskRun& run, const Executor& /*executor*/) {
  std::error_code ignored;
  const Path masks = request.predictions / "masks";
  if (!std::filesystem::is_directory(masks, ignored)) return done();
  AnatomyScoreRequest wanted{.reference = request.dataset, .predictions = masks};
  for (const TaskCase& entry : run.cases) wanted.volumes.push_back(entry.name);
  SilentProgress progress;
  FIDUCIAL_TRY(const AnatomyScores scores, score_anatomy_masks(wanted, progress));
  if (scores.rows.empty()) {
    run.remarks.push_back(
        {"masks", "masks_not_scored", "the dataset folder has no organ masks of these volumes"});
    return done();
  }
  run.tasks.push_back(mask_scores(scores, run));
  run.blocks.emplace_back("masks", scores.json());
  // The scores stand for the masks they are of: a changed mask changes them.
  run.prediction_files.push_back({"masks: scores by structure", sha256(as_bytes(scores.csv()))});
  return done();
}

}  // namespace fiducial
