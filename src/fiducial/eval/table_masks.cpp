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
  explicit MaskUnits(const TaskRun& run) : run_(run) {
    for (std::size_t i = 0; i < run.cases.size(); ++i) {
      cases_.emplace(volume_stem(run.cases[i].name), static_cast<std::uint32_t>(i));
    }
  }

  std::optional<std::size_t> of(const AnatomyRow& row) const {
    const auto found = cases_.find(volume_stem(row.volume));
    if (found == cases_.end()) return std::nullopt;
    const std::size_t first = first_unit_from(found->second, 0);
    for (const std::string& region : row.regions) {
      const auto part = std::lower_bound(run_.parts.begin(), run_.parts.end(), region);
      if (part == run_.parts.end() || *part != region) continue;
      const auto number = static_cast<std::uint32_t>(part - run_.parts.begin());
      const std::size_t unit = first_unit_from(found->second, number);
      if (unit < run_.units.size() && run_.units[unit].at == found->second && run_.units[unit].part == number)
        return unit;
    }
    return first;
  }

 private:
  // The first unit that is not before a case and part.
  std::size_t first_unit_from(std::uint32_t at, std::uint32_t part) const {
    return static_cast<std::size_t>(
        std::lower_bound(run_.units.begin(), run_.units.end(), std::pair(at, part),
                         [](const TaskUnit& unit, const std::pair<std::uint32_t, std::uint32_t>& wanted) {
                           return std::pair(unit.at, unit.part) < wanted;
                         }) -
        run_.units.begin());
  }

  const TaskRun& run_;  // parts and units are sorted
  std::map<std::string, std::uint32_t> cases_;
};

TaskMeasure mask_measure(const char* slot, const char* metric, std::size_t units) {
  return {.slot = slot,
          .contract = &find_mask_metric(metric)->contract,
          .sums = UnitValues(units),
          .weights = UnitValues(units)};
}

void count_score(TaskMeasure& measure, std::size_t unit, const Score& score) {
  if (!score.defined()) return;
  measure.sums[unit] += score.value();
  measure.weights[unit] += 1;
}

// The scores of masks, structure by structure.
class MaskScores {
 public:
  explicit MaskScores(const TaskRun& run) : places_(run) {
    const std::size_t units = run.units.size();
    task_ = {.task = "masks",
             .absence = "no structure was scored",
             .counts = UnitValues(units),
             .failed = UnitValues(units)};
    task_.measures.push_back(mask_measure("mask_dice", "dice", units));
    task_.measures.push_back(mask_measure("mask_nsd", "nsd_surfel", units));
    task_.measures.push_back(mask_measure("mask_hd95", "hd95_surfel_directed_max", units));
  }

  void add(const AnatomyRow& row) {
    ++rows_;
    const auto unit = places_.of(row);
    if (!unit || !row.dice.defined()) return;
    task_.counts[*unit] += 1;
    if (row.prediction != MaskStatus::present && row.prediction != MaskStatus::empty)
      task_.failed[*unit] += 1;
    count_score(task_.measures[0], *unit, row.dice);
    count_score(task_.measures[1], *unit, row.nsd);
    count_score(task_.measures[2], *unit, row.hd95);
  }

  std::int64_t rows() const { return rows_; }
  TaskScores take() {
    task_.pack();
    return std::move(task_);
  }

 private:
  MaskUnits places_;
  TaskScores task_;
  std::int64_t rows_ = 0;
};

}  // namespace

Outcome score_table_masks(const TableScoreRequest& request, TaskRun& run, const Executor& /*executor*/) {
  std::error_code ignored;
  const Path masks = request.predictions / "masks";
  if (!std::filesystem::is_directory(masks, ignored)) return done();
  AnatomyScoreRequest wanted{.reference = request.dataset, .predictions = masks};
  for (const TaskCase& entry : run.cases) wanted.volumes.push_back(entry.name);
  SilentProgress progress;
  MaskScores sums(run);
  FIDUCIAL_TRY(const AnatomyScores scores,
               score_anatomy_masks(wanted, progress, [&sums](const AnatomyRow& row) { sums.add(row); }));
  if (sums.rows() == 0) {
    run.remarks.push_back(
        {"masks", "masks_not_scored", "the dataset folder has no organ masks of these volumes"});
    return done();
  }
  run.tasks.push_back(sums.take());
  run.blocks.emplace_back("masks", scores.json());
  for (const HashedMasks& each : scores.files)
    run.masks.push_back({each.volume, each.reference, each.prediction});
  return done();
}

}  // namespace fiducial
