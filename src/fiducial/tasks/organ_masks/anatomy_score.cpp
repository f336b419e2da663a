#include "fiducial/tasks/organ_masks/anatomy_score.h"

#include <algorithm>
#include <set>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

// The metrics of organs, by the ids they have everywhere.
struct AnatomyMetrics {
  const MaskMetric* dice = nullptr;
  const MaskMetric* nsd = nullptr;
  const MaskMetric* hd95 = nullptr;
  const MaskMetric* penalised_hd95 = nullptr;
};

LabelMap ones_of(const Mask& mask) {
  std::vector<LabelRun> runs;
  runs.reserve(mask.runs().size());
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {mask.grid(), std::move(runs)};
}

std::optional<Path> ct_of(const Path& folder, const std::string& volume) {
  return rexgroundingct::find_volume(folder, volume_stem(volume) + ".nii.gz");
}

using RegionsByStructure = std::map<std::string, std::vector<std::string>>;

RegionsByStructure regions_by_structure() {
  RegionsByStructure out;
  const Anatomy& anatomy = Anatomy::chest_ct();
  for (const std::string& path : anatomy.paths()) {
    const std::string head = path.substr(0, path.find('/'));
    std::vector<std::string>& regions = out[path.substr(path.rfind('/') + 1)];
    if (std::find(regions.begin(), regions.end(), head) == regions.end()) regions.push_back(head);
  }
  for (const std::string& region : anatomy.regions()) {
    out[std::string(region_prefix) + region] = {region};
    for (const std::string& member : anatomy.members_of_region(region)) {
      std::vector<std::string>& regions = out[member];
      if (std::find(regions.begin(), regions.end(), region) == regions.end()) regions.push_back(region);
    }
  }
  return out;
}

// The regions that a structure belongs to.
std::vector<std::string> regions_of_structure(const std::string& structure) {
  static const RegionsByStructure regions = regions_by_structure();
  const auto found = regions.find(structure);
  return found == regions.end() ? std::vector<std::string>() : found->second;
}

// All that a union is made of, at any depth.
std::vector<std::string> parts_below(const Structure& structure) {
  std::vector<std::string> out;
  for (const Structure::Part& part : structure.parts) {
    out.push_back(part.name);
    const Structure* const inner = Anatomy::chest_ct().find(part.name);
    if (inner == nullptr) continue;
    for (std::string& each : parts_below(*inner)) out.push_back(std::move(each));
  }
  return out;
}

// What is known of a volume; without a reference nothing.
struct ScoredVolume {
  std::optional<HashedMasks> files;
  bool has_prediction = false;
  std::vector<AnatomyRow> rows;
};

Json volume_json(const ScoredVolume& scored) {
  Json rows{Json::Array{}};
  for (const AnatomyRow& row : scored.rows) rows.push(row_json(row));
  Json out = Json::object({{"has_reference", scored.files.has_value()},
                           {"has_prediction", scored.has_prediction},
                           {"rows", std::move(rows)}});
  if (scored.files && scored.files->reference) out.set("reference", scored.files->reference->hex());
  if (scored.files && scored.files->prediction) out.set("prediction", scored.files->prediction->hex());
  return out;
}

std::optional<Digest> kept_digest(const Json& kept, const char* key) {
  const Json* found = kept.find(key);
  return found != nullptr && found->as_string() != nullptr ? parse_digest(*found->as_string()) : std::nullopt;
}

Result<ScoredVolume> parse_volume(const Json& kept, const std::string& volume) {
  const auto flag = [&kept](const char* key) {
    const Json* found = kept.find(key);
    return found != nullptr && found->as_bool() != nullptr && *found->as_bool();
  };
  ScoredVolume out{.has_prediction = flag("has_prediction")};
  if (!flag("has_reference")) return out;
  out.files = HashedMasks{volume, kept_digest(kept, "reference"), kept_digest(kept, "prediction")};
  const Json* rows = kept.find("rows");
  if (rows == nullptr || rows->as_array() == nullptr) return invalid_data("masks of " + volume + ": no rows");
  for (const Json& row : *rows->as_array()) {
    FIDUCIAL_TRY(out.rows.emplace_back(), parse_anatomy_row(row, volume));
  }
  return out;
}

class AnatomyScorer {
 public:
  AnatomyScorer(const AnatomyScoreRequest& request, MaskLibrary reference, MaskLibrary prediction,
                AnatomyMetrics metrics)
      : request_(request),
        reference_(std::move(reference)),
        prediction_(std::move(prediction)),
        metrics_(metrics) {}

  // As it was kept, or anew.
  Result<ScoredVolume> volume(const std::string& name) {
    if (!request_.keep) return scored(name);
    FIDUCIAL_TRY(const Json kept, request_.keep(name, [&]() -> Result<Json> {
      FIDUCIAL_TRY(const ScoredVolume made, scored(name));
      return volume_json(made);
    }));
    return parse_volume(kept, name);
  }

 private:
  using MaskPair = std::pair<StructureMask, StructureMask>;

  Result<ScoredVolume> scored(const std::string& volume) {
    ScoredVolume out;
    FIDUCIAL_TRY(const std::optional<Grid> ct, ct_grid(volume));
    FIDUCIAL_TRY(const CaseMasks truth,
                 reference_.read_case(volume, ct).context("reading masks of " + volume));
    if (truth.empty()) return out;
    const CaseBudget budget(request_.limits);
    FIDUCIAL_TRY(const CaseMasks predicted,
                 prediction_.read_case_like(volume, truth).context("reading predictions of " + volume));
    out.has_prediction = !predicted.empty();
    out.files = HashedMasks{volume, truth.digest(), predicted.digest()};
    const std::optional<Vec3> spacing = spacing_of(truth);
    for (const std::string& name : names_to_score(truth, predicted)) {
      out.rows.push_back(row_within(budget, volume, {truth.resolve(name), predicted.resolve(name)}, spacing));
    }
    return out;
  }

  // The structures of the reference; where asked for, unions in place of parts that were not predicted.
  std::vector<std::string> names_to_score(const CaseMasks& truth, const CaseMasks& predicted) const {
    std::vector<std::string> own = truth.names();
    if (!request_.meet_as_unions) return own;
    std::set<std::string> out(own.begin(), own.end());
    for (const std::string& name : predicted.names()) {
      const Structure* const structure = Anatomy::chest_ct().find(name);
      if (structure == nullptr || structure->parts.empty() || out.contains(name)) continue;
      if (!truth.resolve(name).mask) continue;
      out.insert(name);
      for (const std::string& part : parts_below(*structure)) {
        if (!predicted.resolve(part).mask) out.erase(part);
      }
    }
    return {out.begin(), out.end()};
  }

  // A mask that costs more than a volume may is broken.
  AnatomyRow row_within(const CaseBudget& budget, const std::string& volume, const MaskPair& masks,
                        const std::optional<Vec3>& spacing) const {
    if (!budget.overdrawn()) {
      AnatomyRow row = row_of(volume, masks.first, masks.second, spacing);
      if (!budget.overdrawn()) return row;
    }
    const StructureMask broken{.name = masks.second.name,
                               .status = MaskStatus::broken,
                               .source = masks.second.source,
                               .mask = {},
                               .detail = *budget.overdrawn()};
    return row_of(volume, masks.first, broken, spacing);
  }

  Result<std::optional<Grid>> ct_grid(const std::string& volume) const {
    if (!request_.ct_folder) return std::optional<Grid>();
    const auto path = ct_of(*request_.ct_folder, volume);
    if (!path) return std::optional<Grid>();
    FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*path));
    return std::optional<Grid>(header.grid());
  }

  std::optional<Vec3> spacing_of(const CaseMasks& truth) const {
    if (request_.spacing_mm) return request_.spacing_mm;
    if (truth.places_known() && truth.grid()) return truth.grid()->affine.spacing_mm();
    return std::nullopt;
  }

  AnatomyRow row_of(const std::string& volume, const StructureMask& truth, const StructureMask& predicted,
                    const std::optional<Vec3>& spacing) const {
    AnatomyRow row{.volume = volume,
                   .structure = truth.name,
                   .reference = truth.status,
                   .prediction = predicted.status,
                   .detail = truth.mask ? predicted.detail : truth.detail};
    row.regions = regions_of_structure(truth.name);
    if (!truth.mask) {
      const Score none = Score::undefined("the reference is " + std::string(to_string(truth.status)));
      row.dice = row.nsd = row.hd95 = row.penalised_hd95 = none;
      return row;
    }
    const Mask none(truth.mask->grid());
    const FindingPair pair(ones_of(*truth.mask), ones_of(predicted.mask ? *predicted.mask : none), {},
                           {.spacing_mm = spacing, .tolerance_mm = request_.tolerance_mm});
    if (truth.mask->empty() && !predicted.present()) {
      row.dice = row.nsd = row.hd95 = row.penalised_hd95 = Score::undefined("both masks are empty");
      return row;
    }
    row.dice = metrics_.dice->score(pair);
    row.nsd = metrics_.nsd->score(pair);
    row.hd95 = metrics_.hd95->score(pair);
    row.penalised_hd95 = row.hd95.defined() ? row.hd95 : metrics_.penalised_hd95->score(pair);
    return row;
  }

  const AnatomyScoreRequest& request_;
  MaskLibrary reference_;
  MaskLibrary prediction_;
  AnatomyMetrics metrics_;
};

void add_score(AnatomyMean& mean, const Score& score) {
  if (!score.defined()) return;
  ++mean.n;
  mean.mean += (score.value() - mean.mean) / static_cast<double>(mean.n);
}

void add_row_to(AnatomyMeans& means, const AnatomyRow& row) {
  add_score(means.dice, row.dice);
  add_score(means.nsd, row.nsd);
  add_score(means.hd95, row.hd95);
  add_score(means.penalised_hd95, row.penalised_hd95);
  if (row.reference == MaskStatus::empty && row.prediction == MaskStatus::present) ++means.false_alarms;
  if (row.reference != MaskStatus::present) return;
  ++means.references;
  if (row.prediction == MaskStatus::missing) ++means.missing;
  if (row.prediction == MaskStatus::other_grid || row.prediction == MaskStatus::broken) ++means.refused;
}

// Every structure weighs the same, however many volumes have it.
void add_means_to(AnatomyMeans& macro, const AnatomyMeans& one) {
  for (const auto& [total, part] :
       {std::pair(&macro.dice, &one.dice), std::pair(&macro.nsd, &one.nsd), std::pair(&macro.hd95, &one.hd95),
        std::pair(&macro.penalised_hd95, &one.penalised_hd95)}) {
    if (part->n > 0) add_score(*total, part->mean);
  }
  macro.references += one.references;
  macro.missing += one.missing;
  macro.refused += one.refused;
  macro.false_alarms += one.false_alarms;
}

Json mean_json(const AnatomyMean& mean) {
  return Json::object({{"value", mean.n > 0 ? Json(mean.mean) : Json()}, {"n", mean.n}});
}

Json means_json(const AnatomyMeans& means) {
  return Json::object({{"dice", mean_json(means.dice)},
                       {"nsd", mean_json(means.nsd)},
                       {"hd95_mm", mean_json(means.hd95)},
                       {"hd95_penalised_mm", mean_json(means.penalised_hd95)},
                       {"references", means.references},
                       {"missing", means.missing},
                       {"refused", means.refused},
                       {"false_alarms", means.false_alarms}});
}

Json all_means_json(const std::map<std::string, AnatomyMeans>& all) {
  Json out = Json::Object{};
  for (const auto& [name, means] : all) out.set(name, means_json(means));
  return out;
}

bool is_mask_status(const Json& value) {
  const std::int64_t* number = value.as_integer();
  return number != nullptr && *number >= 0 && *number <= static_cast<std::int64_t>(MaskStatus::broken);
}

std::string score_cell(const Score& score) {
  return score.defined() ? shortest(score.value()) : std::string();
}

}  // namespace

void AnatomySums::add(const AnatomyRow& row) {
  add_row_to(structures_[row.structure], row);
  for (const std::string& region : row.regions) add_row_to(by_region_[region][row.structure], row);
  if (row.prediction != MaskStatus::missing) submitted_.insert(row.structure);
}

AnatomyScores AnatomySums::finish() const {
  AnatomyScores out;
  out.structures = structures_;
  for (const auto& [structure, means] : structures_) {
    add_means_to(out.macro, means);
    if (submitted_.contains(structure)) add_means_to(out.submitted, means);
  }
  for (const auto& [region, structures] : by_region_) {
    for (const auto& [structure, means] : structures) add_means_to(out.regions[region], means);
  }
  return out;
}

Json row_json(const AnatomyRow& row) {
  Json out{Json::Array{}};
  out.push(row.structure);
  out.push(static_cast<std::int64_t>(row.reference));
  out.push(static_cast<std::int64_t>(row.prediction));
  for (const Score* score : {&row.dice, &row.nsd, &row.hd95, &row.penalised_hd95})
    out.push(score->defined() ? Json(score->value()) : Json());
  if (!row.detail.empty()) out.push(row.detail);
  return out;
}

Result<AnatomyRow> parse_anatomy_row(const Json& value, const std::string& volume) {
  const Json::Array* parts = value.as_array();
  const bool fits = parts != nullptr && parts->size() >= 7 && (*parts)[0].as_string() != nullptr &&
                    is_mask_status((*parts)[1]) && is_mask_status((*parts)[2]);
  if (!fits)
    return invalid_data("scored masks of " + volume + ": expected a structure, two statuses and scores");
  AnatomyRow out{.volume = volume, .structure = *(*parts)[0].as_string()};
  out.regions = regions_of_structure(out.structure);
  for (const std::size_t at : {1U, 2U}) {
    const std::int64_t status = *(*parts)[at].as_integer();
    if (status < 0 || status > static_cast<std::int64_t>(MaskStatus::broken))
      return invalid_data("scored masks of " + volume + ": no such status");
  }
  out.reference = static_cast<MaskStatus>(*(*parts)[1].as_integer());
  out.prediction = static_cast<MaskStatus>(*(*parts)[2].as_integer());
  std::size_t at = 3;
  for (Score* score : {&out.dice, &out.nsd, &out.hd95, &out.penalised_hd95}) {
    if (const auto number = (*parts)[at++].as_number()) *score = Score(*number);
  }
  if (parts->size() > at && (*parts)[at].as_string() != nullptr) out.detail = *(*parts)[at].as_string();
  return out;
}

Result<AnatomyScores> score_anatomy_masks(const AnatomyScoreRequest& request, Progress& progress) {
  std::vector<AnatomyRow> rows;
  FIDUCIAL_TRY(AnatomyScores scores, score_anatomy_masks(request, progress, [&rows](const AnatomyRow& row) {
                 rows.push_back(row);
               }));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const AnatomyRow& a, const AnatomyRow& b) { return a.volume < b.volume; });
  scores.rows = std::move(rows);
  return scores;
}

Result<AnatomyScores> score_anatomy_masks(const AnatomyScoreRequest& request, Progress& progress,
                                          const AnatomyRowVisitor& visit) {
  FIDUCIAL_TRY(MaskLibrary reference, MaskLibrary::open(request.reference));
  FIDUCIAL_TRY(MaskLibrary prediction, MaskLibrary::open(request.predictions, request.inside));
  const AnatomyMetrics metrics{.dice = find_mask_metric("dice"),
                               .nsd = find_mask_metric("nsd_surfel"),
                               .hd95 = find_mask_metric("hd95_surfel_directed_max"),
                               .penalised_hd95 = find_mask_metric("hd95_surfel_directed_max_penalised")};
  FIDUCIAL_ASSERT(metrics.dice != nullptr && metrics.nsd != nullptr && metrics.hd95 != nullptr &&
                  metrics.penalised_hd95 != nullptr);
  std::vector<std::string> volumes = request.volumes;
  if (volumes.empty()) {
    FIDUCIAL_TRY(volumes, reference.volumes());
  }
  if (request.ct_folder) {
    const bool has_any = std::any_of(volumes.begin(), volumes.end(), [&](const std::string& volume) {
      return ct_of(*request.ct_folder, volume).has_value();
    });
    if (!has_any && !volumes.empty()) {
      return Error(ErrorCode::invalid_data,
                   "expected CTs, such as " + volume_stem(volumes.front()) + ".nii.gz, found none of them",
                   Place{.path = request.ct_folder->string()});
    }
  }
  // Archives that are read in their order are read once.
  FIDUCIAL_TRY(volumes, prediction.in_reading_order(std::move(volumes)));
  FIDUCIAL_TRY(volumes, reference.in_reading_order(std::move(volumes)));
  AnatomyScores scores;
  AnatomySums sums;
  AnatomyScorer scorer(request, std::move(reference), std::move(prediction), metrics);
  progress.begin("masks", static_cast<std::int64_t>(volumes.size()));
  for (const std::string& volume : volumes) {
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped by a signal; nothing was written");
    FIDUCIAL_TRY(const ScoredVolume scored, scorer.volume(volume));
    ++scores.volumes;
    scores.volumes_without_reference += scored.files ? 0 : 1;
    scores.volumes_without_prediction += scored.files && !scored.has_prediction ? 1 : 0;
    if (scored.files) scores.files.push_back(*scored.files);
    for (const AnatomyRow& row : scored.rows) {
      sums.add(row);
      visit(row);
    }
    progress.advance(1);
  }
  progress.end();
  AnatomyScores summed = sums.finish();
  std::swap(scores.structures, summed.structures);
  std::swap(scores.regions, summed.regions);
  scores.macro = summed.macro;
  scores.submitted = summed.submitted;
  std::sort(scores.files.begin(), scores.files.end(),
            [](const HashedMasks& a, const HashedMasks& b) { return a.volume < b.volume; });
  return scores;
}

Json AnatomyScores::json() const {
  return Json::object({{"volumes", volumes},
                       {"volumes_without_reference", volumes_without_reference},
                       {"volumes_without_prediction", volumes_without_prediction},
                       {"macro", means_json(macro)},
                       {"macro_of_submitted", means_json(submitted)},
                       {"regions", all_means_json(regions)},
                       {"structures", all_means_json(structures)}});
}

std::string AnatomyScores::csv() const {
  std::string out = "Volumename,Structure,Reference,Prediction,Dice,NSD,HD95_mm,HD95_penalised_mm,Detail\n";
  for (const AnatomyRow& row : rows) {
    out += csv_row(std::vector<std::string>{row.volume, row.structure, std::string(to_string(row.reference)),
                                            std::string(to_string(row.prediction)), score_cell(row.dice),
                                            score_cell(row.nsd), score_cell(row.hd95),
                                            score_cell(row.penalised_hd95), row.detail});
  }
  return out;
}

}  // namespace fiducial
