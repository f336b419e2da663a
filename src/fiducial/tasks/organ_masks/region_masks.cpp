#include "fiducial/tasks/organ_masks/region_masks.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/eval/run/score_family.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"
#include "fiducial/tasks/organ_masks/anatomy_score.h"

namespace fiducial {

namespace {

// Where the scores of a structure are counted: the unit of its case and the first of its regions that is
// asked about, else that of the whole scan, which every case has.
class MaskUnits {
 public:
  explicit MaskUnits(const RegionUnits& units) : units_(units) {
    for (std::size_t i = 0; i < units.cases().size(); ++i) {
      cases_.emplace(volume_stem(units.cases()[i].name), static_cast<std::uint32_t>(i));
    }
  }

  std::optional<std::uint32_t> of(const AnatomyRow& row) const {
    const auto found = cases_.find(volume_stem(row.volume));
    if (found == cases_.end()) return std::nullopt;
    for (const std::string& region : row.regions) {
      if (const auto unit = units_.find(found->second, region)) return unit;
    }
    return units_.find(found->second, whole_scan_part);
  }

 private:
  const RegionUnits& units_;
  std::map<std::string, std::uint32_t> cases_;
};

FamilyMeasure mask_measure(const char* slot, const char* metric, std::size_t units) {
  return {.slot = slot,
          .contract = &find_mask_metric(metric)->contract,
          .sums = UnitValues(units),
          .weights = UnitValues(units),
          .counts_defined = true};
}

void count_score(FamilyMeasure& measure, std::size_t unit, const Score& score) {
  if (!score.defined()) return;
  measure.sums[unit] += score.value();
  measure.weights[unit] += 1;
}

bool is_unusable(MaskStatus status) {
  return status == MaskStatus::other_grid || status == MaskStatus::broken;
}

// The scores of masks by unit, and what is known of every case.
class MaskScores {
 public:
  MaskScores(const RegionUnits& units, double tolerance_mm)
      : units_(units), places_(units), rows_(units.cases().size()) {
    const std::size_t count = units.units().size();
    family_ = {.name = "masks",
               .absence = "no structure was scored",
               .counted = "structures",
               .counts = UnitValues(count),
               .failed = UnitValues(count)};
    family_.measures.push_back(mask_measure("mask_dice", "dice", count));
    family_.measures.push_back(mask_measure("mask_nsd", "nsd_surfel", count));
    if (tolerance_mm != 1) family_.measures.back().variant = "_" + tolerance_text(tolerance_mm);
    family_.measures.push_back(mask_measure("mask_hd95", "hd95_surfel_directed_max", count));
    family_.measures.push_back(
        mask_measure("mask_hd95_penalised", "hd95_surfel_directed_max_penalised", count));
  }

  void add(const AnatomyRow& row) {
    const auto unit = places_.of(row);
    if (!unit) return;
    rows_[units_.units()[*unit].at].push(row_json(row));
    if (!row.dice.defined()) return;
    family_.counts[*unit] += 1;
    if (row.prediction != MaskStatus::present && row.prediction != MaskStatus::empty)
      family_.failed[*unit] += 1;
    count_score(family_.measures[0], *unit, row.dice);
    count_score(family_.measures[1], *unit, row.nsd);
    count_score(family_.measures[2], *unit, row.hd95);
    count_score(family_.measures[3], *unit, row.penalised_hd95);
  }

  void write_to(ScoreRun& run) {
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      if (!rows_[at].is_null()) add_evidence(run.cases[at], "masks", std::move(rows_[at]));
    }
    add_family(run, std::move(family_));
  }

 private:
  const RegionUnits& units_;
  MaskUnits places_;
  ScoreFamily family_;
  std::vector<Json> rows_;  // by case
};

AnatomyScoreRequest request_of(const TaskCall& call, const RegionUnits& units) {
  AnatomyScoreRequest out{.reference = call.dataset(),
                          .predictions = call.predictions(),
                          .inside = organ_masks_folder,
                          .ct_folder = call.path("volumes"),
                          .tolerance_mm = call.number("tolerance-mm"),
                          .limits = call.limits()};
  const std::vector<double> mm = call.numbers("spacing");
  if (mm.size() == 3) out.spacing_mm = Vec3{mm[0], mm[1], mm[2]};
  if (is_folder(call.predictions())) out.predictions /= organ_masks_folder;
  for (const RunCase& entry : units.cases()) out.volumes.push_back(entry.name);
  out.keep = [&call](const std::string& volume, const TaskCall::Piece& make) {
    return call.kept_or_made("masks of " + volume, make);
  };
  return out;
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

// What is wrong with the masks of a run, counted, with the first of each kind.
class MaskTroubles {
 public:
  void add(const AnatomyRow& row) {
    if (is_unusable(row.reference)) references_.add(row);
    if (!row.dice.defined()) return;
    ++scored_;
    if (is_unusable(row.prediction)) refused_.add(row);
    if (row.prediction == MaskStatus::missing) missing_.add(row);
    if (row.prediction == MaskStatus::present && row.reference == MaskStatus::present && !row.nsd.defined())
      unmeasured_.add(row);
  }

  Json json() const {
    return Json::object({{"status", "scored"},
                         {"questions", scored_},
                         {"missing", missing_.count},
                         {"refused", refused_.count},
                         {"references_refused", references_.count}});
  }
  std::vector<Remark> remarks() const {
    std::vector<Remark> out;
    const auto tell = [&](const MaskTrouble& of, const std::string& code, const char* text) {
      const bool is_failure = &of == &missing_ || &of == &refused_;
      const auto kind = is_failure ? Remark::Kind::failure : Remark::Kind::oddity;
      if (of.count > 0) out.push_back({"masks", code, decimal(of.count) + text + of.first, kind});
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

 private:
  std::int64_t scored_ = 0;
  MaskTrouble missing_;
  MaskTrouble refused_;
  MaskTrouble references_;
  MaskTrouble unmeasured_;
};

// The rows of a case, as MaskScores wrote them.
Result<std::vector<AnatomyRow>> rows_of(const RunCase& entry) {
  std::vector<AnatomyRow> out;
  if (entry.evidence.empty()) return out;
  FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
  const Json* rows = evidence.find("masks");
  if (rows == nullptr || rows->as_array() == nullptr) return out;
  for (const Json& each : *rows->as_array()) {
    FIDUCIAL_TRY(out.emplace_back(), parse_anatomy_row(each, entry.name));
  }
  return out;
}

std::int64_t tally_of(const ScoreRun& run, const char* key) {
  const Json* tallies = run.tallies.find("masks");
  const Json* found = tallies == nullptr ? nullptr : tallies->find(key);
  return found != nullptr && found->as_integer() != nullptr ? *found->as_integer() : 0;
}

void set_in(Json& object, const char* key, Json value) {
  if (object.is_null()) object = Json::object({});
  object.set(key, std::move(value));
}

}  // namespace

std::vector<TaskOption> organ_mask_options() {
  using Kind = TaskOption::Kind;
  const std::string heading = "Organ masks";
  return {
      {.name = "volumes",
       .help = "Folder of the CT volumes (NIfTI files or DICOM folders), whose grid and spacing masks take",
       .kind = Kind::path,
       .heading = heading},
      {.name = "spacing",
       .help = "Voxel edges in mm where headers lost them, e.g. 1,1,3",
       .kind = Kind::numbers,
       .least = 1e-6,
       .most = 1e6,
       .heading = heading},
      {.name = "tolerance-mm",
       .help = "How far apart surfaces may be and still agree",
       .kind = Kind::number,
       .fallback = "1",
       .least = 0,
       .most = 1000,
       .heading = heading}};
}

Outcome score_region_masks(TaskCall& call, const RegionUnits& units, ScoreRun& run) {
  const auto edges = call.numbers("spacing").size();
  if (edges != 0 && edges != 3) return bad_usage("--spacing takes three lengths: --spacing 1,1,3");
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(call.predictions(), organ_masks_folder));
  const auto leave = [&run](const char* status) {
    set_in(run.common, "masks", status);
    return done();
  };
  if (!files.has_beside()) {
    FIDUCIAL_TRY(const MaskLibrary reference, MaskLibrary::open(call.dataset()));
    return reference.has_masks() ? leave("not submitted") : done();
  }
  MaskScores sums(units, call.number("tolerance-mm"));
  AnatomyScores scores;
  if (!units.cases().empty()) {  // a shard may hold none
    FIDUCIAL_TRY(scores, score_anatomy_masks(request_of(call, units), call.progress(),
                                             [&sums](const AnatomyRow& row) { sums.add(row); }));
  }
  set_in(run.tallies, "masks",
         Json::object({{"volumes", scores.volumes},
                       {"without_reference", scores.volumes_without_reference},
                       {"without_prediction", scores.volumes_without_prediction}}));
  Json spacing;
  const std::vector<double> mm = call.numbers("spacing");
  if (!mm.empty()) spacing = Json::array({mm[0], mm[1], mm[2]});
  set_in(run.rules, "mask_rules",
         Json::object({{"tolerance_mm", call.number("tolerance-mm")},
                       {"spacing_mm", std::move(spacing)},
                       {"volumes", call.given("volumes")}}));
  sums.write_to(run);
  for (const HashedMasks& each : scores.files) {
    run.files.push_back({.name = each.volume,
                         .reference = "masks",
                         .reference_digest = each.reference,
                         .prediction_digest = each.prediction});
  }
  return leave("scored");
}

Outcome conclude_region_masks(ScoreRun& run, Json& tasks) {
  const Json* masks = run.common.find("masks");
  if (masks == nullptr) return done();
  const auto say = [&tasks](const char* status) {
    tasks.set("masks", Json::object({{"status", status}, {"questions", 0}}));
    return done();
  };
  if (*masks->as_string() != "scored") return say("not submitted");
  AnatomySums sums;
  MaskTroubles troubles;
  std::int64_t rows = 0;
  std::map<std::string, std::set<std::string>> patients;  // of each structure
  for (const RunCase& entry : run.cases) {
    FIDUCIAL_TRY(const std::vector<AnatomyRow> of_case, rows_of(entry));
    for (const AnatomyRow& row : of_case) {
      ++rows;
      sums.add(row);
      troubles.add(row);
      patients[row.structure].insert(entry.patient);
    }
  }
  if (rows == 0) {
    for (const char* slot : {"mask_dice", "mask_nsd", "mask_hd95", "mask_hd95_penalised"})
      remove_slot(run, slot);
    run.remarks.push_back(
        {"masks", "masks_not_scored", "the dataset folder has no organ masks of these volumes"});
    return say("no masks");
  }
  for (Remark& each : troubles.remarks()) run.remarks.push_back(std::move(each));
  tasks.set("masks", troubles.json());
  AnatomyScores scores = sums.finish();
  scores.volumes = tally_of(run, "volumes");
  scores.volumes_without_reference = tally_of(run, "without_reference");
  scores.volumes_without_prediction = tally_of(run, "without_prediction");
  std::size_t fewest = run.cases.size();
  for (const auto& [structure, names] : patients) fewest = std::min(fewest, names.size());
  run.blocks.push_back({"masks", scores.json(), static_cast<std::int64_t>(fewest)});
  return done();
}

}  // namespace fiducial
