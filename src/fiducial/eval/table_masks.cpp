#include <algorithm>
#include <map>
#include <system_error>

#include "fiducial/base/number_text.h"
#include "fiducial/base/progress.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/eval/anatomy_score.h"
#include "fiducial/eval/plan.h"
#include "fiducial/eval/table_score.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

// Where the scores of a structure are counted: the unit of its case and the first of its regions that is
// asked about, else that of the whole scan, which every case has.
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
    for (const std::string& region : row.regions) {
      if (const auto unit = find_unit(found->second, region)) return unit;
    }
    return find_unit(found->second, whole_scan_part);
  }

 private:
  std::optional<std::size_t> find_unit(std::uint32_t at, const std::string& region) const {
    const auto part = std::lower_bound(run_.parts.begin(), run_.parts.end(), region);
    if (part == run_.parts.end() || *part != region) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(part - run_.parts.begin());
    const std::size_t unit = first_unit_from(at, number);
    const bool is_there =
        unit < run_.units.size() && run_.units[unit].at == at && run_.units[unit].part == number;
    return is_there ? std::optional(unit) : std::nullopt;
  }
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
          .weights = UnitValues(units),
          .counts_defined = true};
}

void count_score(TaskMeasure& measure, std::size_t unit, const Score& score) {
  if (!score.defined()) return;
  measure.sums[unit] += score.value();
  measure.weights[unit] += 1;
}

// Masks of one kind of trouble: how many, and the first of them.
struct MaskTrouble {
  std::int64_t count = 0;
  std::string first;

  void add(const AnatomyRow& row) {
    if (count++ == 0)
      first = row.volume + ", " + row.structure + (row.detail.empty() ? "" : ": " + row.detail);
  }
};

bool is_unusable(MaskStatus status) {
  return status == MaskStatus::other_grid || status == MaskStatus::broken;
}

// The scores of masks, structure by structure.
class MaskScores {
 public:
  MaskScores(const TaskRun& run, double tolerance_mm) : places_(run) {
    const std::size_t units = run.units.size();
    task_ = {.task = "masks",
             .absence = "no structure was scored",
             .counts = UnitValues(units),
             .failed = UnitValues(units)};
    task_.measures.push_back(mask_measure("mask_dice", "dice", units));
    task_.measures.push_back(mask_measure("mask_nsd", "nsd_surfel", units));
    if (tolerance_mm != 1) task_.measures.back().variant = "_" + tolerance_text(tolerance_mm);
    task_.measures.push_back(mask_measure("mask_hd95", "hd95_surfel_directed_max", units));
  }

  void add(const AnatomyRow& row) {
    ++rows_;
    if (is_unusable(row.reference)) references_.add(row);
    const auto unit = places_.of(row);
    if (!unit || !row.dice.defined()) return;
    ++scored_;
    if (is_unusable(row.prediction)) refused_.add(row);
    if (row.prediction == MaskStatus::missing) missing_.add(row);
    if (row.prediction == MaskStatus::present && row.reference == MaskStatus::present && !row.nsd.defined())
      unmeasured_.add(row);
    task_.counts[*unit] += 1;
    if (row.prediction != MaskStatus::present && row.prediction != MaskStatus::empty)
      task_.failed[*unit] += 1;
    count_score(task_.measures[0], *unit, row.dice);
    count_score(task_.measures[1], *unit, row.nsd);
    count_score(task_.measures[2], *unit, row.hd95);
  }

  std::int64_t rows() const { return rows_; }
  Json json() const {
    return Json::object({{"status", "scored"},
                         {"questions", scored_},
                         {"missing", missing_.count},
                         {"refused", refused_.count},
                         {"references_refused", references_.count}});
  }
  std::vector<TaskRemark> remarks() const {
    std::vector<TaskRemark> out;
    const auto tell = [&](const MaskTrouble& of, const char* code, const std::string& text) {
      if (of.count > 0) out.push_back({"masks", code, decimal(of.count) + text + of.first});
    };
    tell(missing_, "masks_missing", " structures have no predicted mask and score 0; the first: ");
    tell(refused_, "masks_refused", " predicted masks cannot be used and score 0; the first: ");
    tell(references_, "reference_masks_refused",
         " masks of the dataset cannot be used and are not scored; the first: ");
    tell(unmeasured_, "no_spacing",
         " structures have neither NSD nor HD95: no header says how large voxels are; --volumes or "
         "--spacing does; the first: ");
    return out;
  }
  TaskScores take() {
    task_.pack();
    return std::move(task_);
  }

 private:
  MaskUnits places_;
  TaskScores task_;
  std::int64_t rows_ = 0;
  std::int64_t scored_ = 0;
  MaskTrouble missing_;
  MaskTrouble refused_;
  MaskTrouble references_;
  MaskTrouble unmeasured_;
};

bool are_masks_wanted(const std::vector<std::string>& metrics) {
  return metrics.empty() || std::any_of(metrics.begin(), metrics.end(), [](const std::string& word) {
           return word == "all" || word == "masks";
         });
}

AnatomyScoreRequest masks_of(const TableScoreRequest& request, const TaskRun& run) {
  std::error_code ignored;
  AnatomyScoreRequest out{.reference = request.dataset,
                          .predictions = request.predictions,
                          .inside = table_masks_folder,
                          .ct_folder = request.volumes,
                          .spacing_mm = request.spacing_mm,
                          .tolerance_mm = request.tolerance_mm};
  if (std::filesystem::is_directory(request.predictions, ignored)) out.predictions /= table_masks_folder;
  for (const TaskCase& entry : run.cases) out.volumes.push_back(entry.name);
  return out;
}

// What verifying needs to score them again.
Json mask_rules(const TableScoreRequest& request) {
  Json spacing;
  if (request.spacing_mm) {
    const Vec3& mm = *request.spacing_mm;
    spacing = Json::array({mm[0], mm[1], mm[2]});
  }
  return Json::object({{"tolerance_mm", request.tolerance_mm},
                       {"spacing_mm", std::move(spacing)},
                       {"volumes", request.volumes.has_value()}});
}

Json unscored_masks(const char* status) { return Json::object({{"status", status}, {"questions", 0}}); }

}  // namespace

Result<std::optional<Json>> score_table_masks(const TableScoreRequest& request, TaskRun& run) {
  const std::optional<Vec3>& mm = request.spacing_mm;
  if (mm && !(*std::min_element(mm->begin(), mm->end()) > 0))
    return bad_usage("spacing: expected three lengths above 0");
  if (!are_masks_wanted(request.metrics)) return std::optional<Json>();
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(request.predictions, table_masks_folder));
  if (!files.has_beside()) {
    FIDUCIAL_TRY(const MaskLibrary reference, MaskLibrary::open(request.dataset));
    if (!reference.has_masks()) return std::optional<Json>();
    return std::optional(unscored_masks("not submitted"));
  }
  SilentProgress progress;
  MaskScores sums(run, request.tolerance_mm);
  FIDUCIAL_TRY(const AnatomyScores scores,
               score_anatomy_masks(masks_of(request, run), progress,
                                   [&sums](const AnatomyRow& row) { sums.add(row); }));
  if (sums.rows() == 0) {
    run.remarks.push_back(
        {"masks", "masks_not_scored", "the dataset folder has no organ masks of these volumes"});
    return std::optional(unscored_masks("no masks"));
  }
  for (TaskRemark& each : sums.remarks()) run.remarks.push_back(std::move(each));
  run.mask_rules = mask_rules(request);
  Json told = sums.json();
  run.tasks.push_back(sums.take());
  run.blocks.emplace_back("masks", scores.json());
  for (const HashedMasks& each : scores.files)
    run.masks.push_back({each.volume, each.reference, each.prediction});
  return std::optional(std::move(told));
}

}  // namespace fiducial
