#include "fiducial/tasks/finding_masks/case_scorer.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/tasks/finding_masks/refused_masks.h"

namespace fiducial {

struct CaseScorer::Truth {
  MaskFile mask;
  Digest digest;
  std::string file;
  std::optional<Grid> volume;      // where the CT says the voxels lie
  std::optional<Vec3> spacing_mm;  // of the CT, where its header says one
  std::vector<LabelMap> ignored;   // one a finding, one for all, or none
  std::optional<Digest> ignored_digest;
};

namespace {

// What the published scorer sees: values cast to 8 bits.
LabelMap as_uint8(const LabelMap& labels) {
  return labels.relabelled([](std::int32_t label) { return label & 0xFF; });
}

bool fits_uint8(const LabelValueFacts& values) { return values.least >= 0 && values.greatest <= 255; }

void note_official_values(const LabelValueFacts& values, Notes& notes) {
  if (values.fractional > 0) {
    notes.push_back({"fractions_truncated", decimal(values.fractional) +
                                                " non-integer voxels were truncated by the official rules"});
  }
  if (!fits_uint8(values)) {
    notes.push_back({"ids_wrapped", "labels from " + decimal(values.least) + " to " +
                                        decimal(values.greatest) +
                                        " were wrapped to 8 bits by the official rules"});
  }
}

std::string focality_of(const Finding* listed) {
  if (listed == nullptr || !listed->focality) return std::string(uncategorized);
  return *listed->focality == Focality::focal ? "focal" : "non_focal";
}

std::vector<Score> evaluated(const std::vector<PlannedMetric>& metrics, const FindingPair& pair, bool present,
                             const CaseBudget& budget) {
  std::vector<Score> out;
  out.reserve(metrics.size());
  for (const PlannedMetric& planned : metrics) {
    if (present && budget.overdrawn()) break;
    const MetricContract& contract = planned.metric->contract;
    const bool measurable = !contract.needs_spacing || pair.context().spacing_mm;
    const auto& missing = contract.empty.missing_value;
    out.push_back(!present && missing && measurable ? Score(*missing) : score_of(*planned.metric, pair));
  }
  return out;
}

// What a reference gets as its own prediction, where that may not be the best there is.
std::vector<Score> best_of(const std::vector<PlannedMetric>& metrics, const FindingPair& of_itself) {
  std::vector<Score> out;
  for (const PlannedMetric& planned : metrics) {
    if (planned.metric->contract.has_ceiling) out.push_back(score_of(*planned.metric, of_itself));
  }
  return out;
}

// A hash of where voxels lie, to the last bit.
Digest digest_of_grid(const Grid& grid) {
  std::string text = grid.extent.text();
  for (const auto& row : grid.affine.m) {
    for (const double value : row) text += " " + shortest(value);
  }
  return sha256(as_bytes(text));
}

// The spacing a header states. One that says nothing (the identity) or nonsense gives none.
std::optional<Vec3> stated_spacing(const std::optional<Grid>& volume) {
  if (!volume || volume->affine.is_identity()) return std::nullopt;
  const Vec3 spacing_mm = volume->affine.spacing_mm();
  const bool good = std::all_of(spacing_mm.begin(), spacing_mm.end(),
                                [](double mm) { return std::isfinite(mm) && mm > 0; });
  return good ? std::optional(spacing_mm) : std::nullopt;
}

}  // namespace

CaseScorer::CaseScorer(const GroundedDataset& dataset, const PredictionFiles* predictions,
                       const MaskPlan& plan, Sources sources)
    : dataset_(dataset),
      predictions_(predictions),
      plan_(plan),
      sources_(std::move(sources)),
      strict_(plan.metrics_of(Scorer::strict)),
      official_(plan.metrics_of(Scorer::official)) {}

Result<CaseScorer::Truth> CaseScorer::read_truth(const GroundedCase& entry) const {
  const std::string file = dataset_.mask_name(entry);
  const std::string path = (dataset_.folder() / file).string();
  FIDUCIAL_TRY(StoredFile stored, dataset_.open_mask(entry));
  const Result<std::optional<NiftiHeader>> volume = read_volume(entry);
  const bool is_there = volume.ok() && *volume && (*volume)->rank() == 3;
  const auto whole = is_there ? std::optional((*volume)->grid()) : std::nullopt;
  MaskRead read = read_mask_file(std::move(stored), std::nullopt, whole);
  FIDUCIAL_TRY(MaskFile mask, std::move(read.mask).in_file(path));
  const auto broken = [&path](std::string message) {
    return Error(ErrorCode::invalid_data, std::move(message), Place{.path = path});
  };
  if (entry.lists_findings && mask.shape.channels != static_cast<std::int64_t>(entry.findings.size())) {
    return broken("mask has " + decimal(mask.shape.channels) + " channels, expected " +
                  decimal(entry.findings.size()) + " as " + dataset_.file_name() + " lists findings");
  }
  if (const auto refused = refused_values(mask.values)) return broken(*refused);
  if (mask.values.least < 0) return broken("entity id " + decimal(mask.values.least) + " is negative");
  Truth truth{.mask = std::move(mask), .digest = *read.digest, .file = file};
  FIDUCIAL_TRY(truth.volume, checked_volume_grid(entry, truth, volume));
  // A mask without a place of its own lies on its volume's grid.
  if (truth.volume && !truth.mask.claims_place) {
    for (LabelMap& channel : truth.mask.channels) channel = channel.on_grid(truth.volume->affine);
  }
  truth.spacing_mm = stated_spacing(truth.volume);
  FIDUCIAL_TRY_DONE(read_ignored(entry, truth));
  return truth;
}

Result<std::optional<Grid>> CaseScorer::checked_volume_grid(
    const GroundedCase& entry, const Truth& truth, const Result<std::optional<NiftiHeader>>& read) const {
  if (!read.ok()) return read.error();
  const std::optional<NiftiHeader>& volume = *read;
  if (!volume) return std::optional<Grid>();
  if (volume->extent() != truth.mask.shape.extent || volume->rank() != 3) {
    return Error(ErrorCode::invalid_data,
                 "volume of " + volume->shape_text() + " voxels, expected " + truth.mask.shape.extent.text() +
                     " as its mask " + truth.file,
                 Place{.path = dataset_.find_volume(*sources_.volumes, entry)->string()});
  }
  return std::optional<Grid>(volume->grid());
}

Result<std::optional<NiftiHeader>> CaseScorer::read_volume(const GroundedCase& entry) const {
  if (!sources_.volumes) return std::optional<NiftiHeader>();
  const auto path = dataset_.find_volume(*sources_.volumes, entry);
  if (!path) return std::optional<NiftiHeader>();
  FIDUCIAL_TRY(NiftiHeader header, read_volume_header(*path));
  return std::optional<NiftiHeader>(std::move(header));
}

Outcome CaseScorer::read_ignored(const GroundedCase& entry, Truth& truth) const {
  if (sources_.ignored == nullptr || !sources_.ignored->has(entry.name)) return done();
  FIDUCIAL_TRY(StoredFile stored, sources_.ignored->open_file(entry.name));
  MaskRead read = read_mask_file(std::move(stored), std::nullopt);
  const std::string named = "ignored regions of " + entry.name;
  FIDUCIAL_TRY(MaskFile regions, std::move(read.mask).context("reading the " + named));
  const ChannelShape& shape = truth.mask.shape;
  const bool fits = regions.shape.extent == shape.extent &&
                    (regions.shape.channels == 1 || regions.shape.channels == shape.channels);
  if (!fits) {
    return invalid_data(named + ": " + regions.shape.text() + ", expected one mask or " + shape.text());
  }
  truth.ignored = std::move(regions.channels);
  truth.ignored_digest = read.digest;
  return done();
}

FindingContext CaseScorer::context_of(const Truth& truth, const FindingScore& finding) const {
  FindingContext out{.spacing_mm = truth.spacing_mm, .tolerance_mm = plan_.tolerance_mm};
  if (finding.focality != uncategorized) out.focal = finding.focality == "focal";
  // Where ignored regions are given, they are what may be right without being marked.
  out.partial =
      plan_.partial_labels && finding.reference_entities >= partial_label_cap && truth.ignored.empty();
  if (!truth.ignored.empty()) {
    const std::size_t channel = truth.ignored.size() == 1 ? 0 : static_cast<std::size_t>(finding.index);
    out.ignored = truth.ignored[channel].foreground();
  }
  return out;
}

void CaseScorer::score_findings(const Truth& truth, const std::vector<LabelMap>* predicted,
                                const CaseBudget& budget, CaseScore& out) const {
  for (std::size_t i = 0; i < out.findings.size(); ++i) {
    const LabelMap& reference = truth.mask.channels[i];
    FindingScore& finding = out.findings[i];
    const LabelMap prediction = predicted == nullptr ? LabelMap(reference.grid()) : (*predicted)[i];
    const bool strict_present = out.status == CaseStatus::scored;
    const bool official_present = out.official_status == CaseStatus::scored;
    const FindingPair pair(reference, strict_present ? prediction : LabelMap(reference.grid()),
                           plan_.strict_rules, context_of(truth, finding));
    const FindingPair of_itself(reference, reference, plan_.strict_rules, pair.context());
    if (plan_.wants(Scorer::strict)) {
      finding.strict = evaluated(strict_, pair, strict_present, budget);
      finding.strict_best = best_of(strict_, of_itself);
    }
    if (!plan_.wants(Scorer::official) || !official_present) continue;
    const auto score_official = [&](const FindingPair& seen, const FindingPair& best) {
      finding.official = evaluated(official_, seen, true, budget);
      finding.official_best = best_of(official_, best);
      if (!plan_.global_only) finding.official_matching = seen.matching(MatchRule::rexrank);
    };
    const LabelMap reference8 = as_uint8(reference);
    const LabelMap prediction8 = as_uint8(prediction);
    if (strict_present && plan_.strict_rules == plan_.official_rules && reference8 == reference &&
        prediction8 == prediction) {
      score_official(pair, of_itself);
    } else {
      score_official(FindingPair(reference8, prediction8, plan_.official_rules),
                     FindingPair(reference8, reference8, plan_.official_rules));
    }
  }
}

std::optional<MaskRead> CaseScorer::read_prediction(const GroundedCase& entry, const Truth& truth) const {
  if (!predictions_->has(entry.name)) return std::nullopt;
  Result<StoredFile> stored = predictions_->open_file(entry.name);
  if (!stored.ok()) return MaskRead{std::move(stored).error(), std::nullopt};
  return read_mask_file(*std::move(stored), truth.mask.shape, truth.volume);
}

Outcome CaseScorer::fail_prediction(const Error& error, const Truth& truth, CaseScore& out) const {
  if (stops_a_run(error)) return error;
  if (plan_.mode == ScoreMode::official) {
    return Error(error).in_file(out.name).context("scoring by the official rules, which stop here");
  }
  out.status = out.official_status = CaseStatus::failed;
  out.reason = out.official_reason = text_without_file(error);
  for (FindingScore& finding : out.findings) {
    finding.strict.clear();
    finding.official.clear();
    finding.official_matching.reset();
  }
  const CaseBudget of_nothing(CaseLimits{});
  score_findings(truth, nullptr, of_nothing, out);
  return done();
}

Outcome CaseScorer::score_prediction(const std::optional<MaskRead>& prediction, const Truth& truth,
                                     const CaseBudget& budget, CaseScore& out) const {
  if (!prediction) {
    out.status = out.official_status = CaseStatus::missing;
    out.reason = out.official_reason = "no prediction of this name";
    score_findings(truth, nullptr, budget, out);
    return done();
  }
  const MaskRead& read = *prediction;
  out.prediction_digest = read.digest;

  const auto fail = [](CaseStatus& status, std::string& reason, const std::string& why) {
    status = CaseStatus::failed;
    reason = why;
  };
  if (!read.mask.ok() || read.mask->shape_error) {
    if (read.mask.ok()) out.orientation = probe_orientation(truth.mask.channels, read.mask->channels);
    return fail_prediction(read.mask.ok() ? *read.mask->shape_error : read.mask.error(), truth, out);
  }
  const MaskFile& mask = *read.mask;
  out.notes.insert(out.notes.end(), mask.notes.begin(), mask.notes.end());
  if (const auto why = refused_values(mask.values)) fail(out.status, out.reason, *why);
  if (const auto why = refused_place(mask, truth.volume)) fail(out.status, out.reason, *why);
  if (plan_.wants(Scorer::official)) note_official_values(mask.values, out.notes);
  score_findings(truth, &mask.channels, budget, out);
  if (const auto why = budget.overdrawn()) return fail_prediction(invalid_data(*why), truth, out);
  out.orientation = probe_orientation(truth.mask.channels, mask.channels);
  out.order = probe_finding_order(truth.mask.channels, mask.channels);
  if (out.orientation && out.order) {  // the better one is told
    if (out.order->dice_reordered > out.orientation->dice_transformed) {
      out.orientation.reset();
    } else {
      out.order.reset();
    }
  }
  return done();
}

bool CaseScorer::still_true(const CaseScore& earlier, const GroundedCase& entry) const {
  const auto digest_of = [](Result<StoredFile> file) -> std::optional<Digest> {
    if (!file.ok()) return std::nullopt;
    const Result<Digest> digest = HashingStream(std::move(file->bytes)).finish();
    return digest.ok() ? std::optional(*digest) : std::nullopt;
  };
  if (digest_of(dataset_.open_mask(entry)) != earlier.reference_digest) return false;
  const Result<std::optional<NiftiHeader>> volume = read_volume(entry);
  if (!volume.ok() ||
      (*volume ? std::optional(digest_of_grid((*volume)->grid())) : std::nullopt) != earlier.volume_digest) {
    return false;
  }
  const bool has_ignored = sources_.ignored != nullptr && sources_.ignored->has(entry.name);
  if ((has_ignored ? digest_of(sources_.ignored->open_file(entry.name)) : std::nullopt) !=
      earlier.ignored_digest) {
    return false;
  }
  if (!predictions_->has(entry.name)) return earlier.status == CaseStatus::missing;
  return earlier.prediction_digest &&
         digest_of(predictions_->open_file(entry.name)) == earlier.prediction_digest;
}

CaseScore CaseScorer::unscored(const GroundedCase& entry, const Truth& truth) const {
  CaseScore out;
  out.name = entry.name;
  out.patient = entry.patient;
  out.protocol = entry.protocol;
  out.reference_file = truth.file;
  out.reference_digest = truth.digest;
  out.ignored_digest = truth.ignored_digest;
  if (truth.volume) out.volume_digest = digest_of_grid(*truth.volume);
  out.spacing_mm = truth.spacing_mm;
  out.notes = truth.mask.notes;
  if (plan_.wants(Scorer::official) && !fits_uint8(truth.mask.values)) {
    out.notes.push_back({"ids_wrapped", "reference ids up to " + decimal(truth.mask.values.greatest) +
                                            " were wrapped to 8 bits by the official rules"});
  }
  for (std::size_t i = 0; i < truth.mask.channels.size(); ++i) {
    const LabelMap& reference = truth.mask.channels[i];
    const Finding* listed = entry.lists_findings ? &entry.findings[i] : nullptr;
    out.findings.push_back(
        {.index = static_cast<std::int64_t>(i),
         .category = listed != nullptr ? listed->category : "",
         .category_group = std::string(listed != nullptr ? category_group(*listed) : uncategorized),
         .focality = focality_of(listed),
         .reference_voxels = reference.count(),
         .reference_entities = static_cast<std::int64_t>(reference.labels().size())});
  }
  return out;
}

Result<CaseScore> CaseScorer::score(const GroundedCase& entry) const {
  FIDUCIAL_TRY(const Truth truth, read_truth(entry));
  CaseScore out = unscored(entry, truth);
  const CaseBudget budget(sources_.limits);
  FIDUCIAL_TRY_DONE(score_prediction(read_prediction(entry, truth), truth, budget, out));
  return out;
}

Result<CaseScore> CaseScorer::score(const GroundedCase& entry,
                                    const std::optional<MaskRead>& prediction) const {
  FIDUCIAL_TRY(const Truth truth, read_truth(entry));
  CaseScore out = unscored(entry, truth);
  const CaseBudget budget(sources_.limits);
  FIDUCIAL_TRY_DONE(score_prediction(prediction, truth, budget, out));
  return out;
}

}  // namespace fiducial
