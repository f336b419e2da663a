#include "metric_mask.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/version.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/terminal/text_table.h"

#include "shell_word.h"

namespace fiducial::cli {

namespace {

struct MaskMetricOptions {
  std::string reference;
  std::string prediction;
  std::optional<std::int32_t> label;
  std::vector<double> spacing_mm;
  double tolerance_mm = 1;
  bool json = false;
};

// Two files whose voxels correspond, and what their headers say about millimetres.
struct MaskPair {
  MaskFile reference;
  MaskFile prediction;
  std::optional<Vec3> spacing_mm;
  Notes notes;
};

// Voxels of one finding. Over the whole volume, specificity says little: nearly all of it is background.
struct VoxelCounts {
  std::int64_t all = 0;
  std::int64_t reference = 0;
  std::int64_t prediction = 0;
  std::int64_t both = 0;
};

struct FindingScores {
  std::vector<Score> scores;  // one a registered metric
  VoxelCounts voxels;
};

Result<MaskFile> read_mask(const std::string& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  FIDUCIAL_TRY(MaskFile mask,
               read_mask_file(StoredFile{std::move(file), size}, std::nullopt).mask.in_file(path));
  const std::int64_t odd = mask.values.fractional + mask.values.not_finite;
  if (odd > 0) {
    return Error(ErrorCode::invalid_data,
                 decimal(odd) + " voxels are no whole numbers; expected a mask or labels",
                 Place{.path = path});
  }
  return mask;
}

std::string numbers_text(const Vec3& values, const char* between) {
  return joined(values, between, [](const double value) { return shortest(value); });
}

// "3 findings of 24 x 20 x 12 voxels, LPS, spacing 0.75 x 0.75 x 1.5 mm, first voxel at (90, 80, -200) mm"
std::string grid_text(const MaskFile& mask) {
  const std::string shape = mask.shape.text() + " voxels";
  if (!mask.claims_place) return shape + " without a place in the patient";
  return shape + ", " + OrientationCode::of(mask.affine).text() + ", spacing " +
         numbers_text(mask.affine.spacing_mm(), " x ") + " mm, first voxel at (" +
         numbers_text(mask.affine.apply({0, 0, 0}), ", ") + ") mm";
}

bool grids_agree(const MaskFile& a, const MaskFile& b) {
  if (a.shape != b.shape) return false;
  if (!a.claims_place || !b.claims_place) return true;
  return same_grid({a.shape.extent, a.affine}, {b.shape.extent, b.affine});
}

// The command that brings the prediction onto the reference's grid.
std::string resample_hint(const MaskMetricOptions& options, const MaskFile& prediction) {
  if (!prediction.claims_place) return "";
  return "; fiducial resample " + shell_word(options.prediction) + " resampled.nii.gz --like " +
         shell_word(options.reference) + " --labels" + (prediction.rank == 4 ? " --channels first" : "");
}

Outcome check_spacing_option(const std::vector<double>& mm) {
  if (mm.empty()) return done();
  if (mm.size() == 3 && *std::min_element(mm.begin(), mm.end()) > 0) return done();
  return bad_usage("--spacing takes three lengths above 0: --spacing 1,1,3");
}

// The header's word stands: what it says is not to be said otherwise.
Outcome check_said_spacing(const MaskMetricOptions& options, const MaskFile& reference) {
  if (options.spacing_mm.empty() || !reference.claims_place) return done();
  const Vec3 header = reference.affine.spacing_mm();
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::abs(header[i] - options.spacing_mm[i]) <= 0.01 * header[i]) continue;
    return Error(ErrorCode::invalid_data,
                 "the header says voxels of " + numbers_text(header, " x ") +
                     " mm; --spacing is for masks that lost it",
                 Place{.path = options.reference});
  }
  return done();
}

Result<MaskPair> read_pair(const MaskMetricOptions& options) {
  FIDUCIAL_TRY_DONE(check_spacing_option(options.spacing_mm));
  FIDUCIAL_TRY(MaskFile reference, read_mask(options.reference));
  FIDUCIAL_TRY(MaskFile prediction, read_mask(options.prediction));
  if (!grids_agree(reference, prediction)) {
    return invalid_data("the grids differ: " + options.reference + " has " + grid_text(reference) + "; " +
                        options.prediction + " has " + grid_text(prediction) +
                        resample_hint(options, prediction));
  }
  FIDUCIAL_TRY_DONE(check_said_spacing(options, reference));
  MaskPair out{std::move(reference), std::move(prediction), std::nullopt, {}};
  const bool is_flat = out.reference.rank == 2;
  const Vec3 spacing_mm = out.reference.affine.spacing_mm();
  const bool positive = std::all_of(spacing_mm.begin(), spacing_mm.end(), [](double mm) { return mm > 0; });
  if (is_flat) {
    out.notes.push_back({"flat", options.reference + ": one slice, so there are no surfaces in mm"});
  } else if (!options.spacing_mm.empty()) {
    out.spacing_mm = Vec3{options.spacing_mm[0], options.spacing_mm[1], options.spacing_mm[2]};
  } else if (out.reference.claims_place && positive) {
    out.spacing_mm = spacing_mm;
  } else {
    out.notes.push_back({"no_spacing", options.reference + ": the header names no place in the patient, so " +
                                           "there are no millimetres"});
  }
  if (out.reference.claims_place && !out.prediction.claims_place) {
    out.notes.push_back({"grid_taken", options.prediction +
                                           ": the header names no place in the patient; its " +
                                           "voxels are taken to be those of the reference"});
  }
  return out;
}

LabelMap chosen(const LabelMap& labels, const std::optional<std::int32_t>& label) {
  if (!label) return labels;
  return labels.relabelled([label](std::int32_t each) { return each == *label ? 1 : 0; });
}

// The published scorer casts values to 8 bits.
LabelMap as_uint8(const LabelMap& labels) {
  return labels.relabelled([](std::int32_t label) { return label & 0xFF; });
}

FindingScores score_finding(const LabelMap& reference, const LabelMap& prediction,
                            const FindingContext& context) {
  const FindingPair strict(reference, prediction, InstanceRules{}, context);
  const FindingPair official(as_uint8(reference), as_uint8(prediction), InstanceRules{}, context);
  FindingScores out;
  for (const MaskMetric& metric : all_mask_metrics()) {
    out.scores.push_back(metric.score(metric.contract.scorer == Scorer::strict ? strict : official));
  }
  const Mask truth = reference.foreground();
  const Mask found = prediction.foreground();
  out.voxels = {truth.extent().count(), truth.count(), found.count(), intersected(truth, found).count()};
  return out;
}

Score share_of(std::int64_t part, std::int64_t whole, const char* nothing) {
  if (whole == 0) return Score::undefined(nothing);
  return Score(static_cast<double>(part) / static_cast<double>(whole));
}

// How much of one mask the other covers, in both directions, and of the background.
struct DirectedOverlap {
  Score of_reference;   // sensitivity
  Score of_prediction;  // precision
  Score of_background;  // specificity
};

DirectedOverlap directed_overlap(const VoxelCounts& voxels) {
  const std::int64_t background = voxels.all - voxels.reference;
  return {share_of(voxels.both, voxels.reference, "the reference is empty"),
          share_of(voxels.both, voxels.prediction, "the prediction is empty"),
          share_of(background - (voxels.prediction - voxels.both), background, "there is no background")};
}

Json score_json(const Score& score) {
  if (score.defined()) return Json::object({{"value", score.value()}});
  return Json::object({{"value", Json()}, {"undefined", score.reason()}});
}

Json overlap_json(const VoxelCounts& voxels) {
  const DirectedOverlap overlap = directed_overlap(voxels);
  return Json::object({{"voxels", voxels.all},
                       {"reference", voxels.reference},
                       {"prediction", voxels.prediction},
                       {"both", voxels.both},
                       {"sensitivity", score_json(overlap.of_reference)},
                       {"precision", score_json(overlap.of_prediction)},
                       {"specificity", score_json(overlap.of_background)}});
}

Json scores_json(const MaskMetricOptions& options, const MaskPair& pair,
                 const std::vector<FindingScores>& findings) {
  Json list = Json::Array{};
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Json scores = Json::Object{};
    for (std::size_t m = 0; m < findings[i].scores.size(); ++m) {
      scores.set(all_mask_metrics()[m].contract.id, score_json(findings[i].scores[m]));
    }
    list.push(
        Json::object({{"finding", i}, {"scores", scores}, {"overlap", overlap_json(findings[i].voxels)}}));
  }
  Json spacing;
  if (pair.spacing_mm) {
    for (const double value : *pair.spacing_mm) spacing.push(value);
  }
  Json notes = Json::Array{};
  for (const Note& note : pair.notes) notes.push(Json::object({{"code", note.code}, {"text", note.text}}));
  return Json::object({{"schema", "fiducial.metric/1"},
                       {"version", tool_version},
                       {"reference", options.reference},
                       {"prediction", options.prediction},
                       {"label", options.label ? Json(*options.label) : Json()},
                       {"spacing_mm", spacing},
                       {"tolerance_mm", options.tolerance_mm},
                       {"findings", list},
                       {"notes", notes}});
}

std::string score_text(const Score& score, bool with_reason) {
  if (score.defined()) return fixed(score.value(), 6);
  return with_reason ? "undefined: " + score.reason() : "undefined";
}

void add_overlap_rows(TextTable& table, const std::vector<FindingScores>& findings, bool single) {
  std::vector<std::vector<std::string>> rows{
      {"sensitivity", "voxels", ""}, {"precision", "voxels", ""}, {"specificity", "voxels", ""}};
  for (const FindingScores& finding : findings) {
    const DirectedOverlap overlap = directed_overlap(finding.voxels);
    rows[0].push_back(score_text(overlap.of_reference, single));
    rows[1].push_back(score_text(overlap.of_prediction, single));
    rows[2].push_back(score_text(overlap.of_background, single));
  }
  for (std::vector<std::string>& row : rows) table.add(std::move(row));
}

std::string scores_text(const MaskPair& pair, const std::vector<FindingScores>& findings, std::size_t width) {
  using Align = TextTable::Align;
  const bool single = findings.size() == 1;
  TextTable table({Align::left, Align::left, Align::left, single ? Align::left : Align::right});
  std::vector<std::string> header{"metric", "scorer", "unit"};
  for (std::size_t i = 0; i < findings.size(); ++i)
    header.push_back(single ? "score" : "finding " + decimal(i));
  table.add_header(header);
  for (std::size_t m = 0; m < all_mask_metrics().size(); ++m) {
    const MetricContract& contract = all_mask_metrics()[m].contract;
    std::vector<std::string> row{contract.id, std::string(to_string(contract.scorer)), contract.unit};
    for (const FindingScores& finding : findings) row.push_back(score_text(finding.scores[m], single));
    table.add(std::move(row));
  }
  add_overlap_rows(table, findings, single);
  return grid_text(pair.reference) + "\n" + table.text("", width);
}

Result<int> metric_mask(const MaskMetricOptions& options, Console& console) {
  FIDUCIAL_TRY(const MaskPair pair, read_pair(options));
  const FindingContext context{.spacing_mm = pair.spacing_mm, .tolerance_mm = options.tolerance_mm};
  std::vector<FindingScores> findings;
  for (std::size_t i = 0; i < pair.reference.channels.size(); ++i) {
    findings.push_back(score_finding(chosen(pair.reference.channels[i], options.label),
                                     chosen(pair.prediction.channels[i], options.label), context));
  }
  if (options.json) {
    console.print(scores_json(options, pair, findings).pretty());
    return 0;
  }
  for (const Note& note : pair.notes) console.note(note.text);
  console.show(scores_text(pair, findings, console.width()));
  return 0;
}

void define_mask(Verb mask, MaskMetricOptions& options) {
  mask.add_option("--reference", options.reference,
                  "Mask or labels: 2D, 3D, or (F,H,W,D) with one finding a channel")
      ->required();
  mask.add_option("--prediction", options.prediction, "The same for what was predicted, on the same grid")
      ->required();
  mask.add_option("--label", options.label,
                  "Only voxels of this label in both (default: any but 0; labels of the "
                  "reference are its entities)");
  mask.add_option("--spacing", options.spacing_mm, "Voxel edges in mm where headers lost them, e.g. 1,1,3")
      ->delimiter(',');
  mask.add_option("--tolerance-mm", options.tolerance_mm, "Tolerance of surface metrics")
      ->check(Range(0.0, 1000.0))
      ->capture_default_str();
  mask.add_flag("--json", options.json, "Print as JSON");
}

}  // namespace

CommandBody define_metric_mask(Verb subcommand) {
  auto options = std::make_shared<MaskMetricOptions>();
  define_mask(subcommand, *options);
  return [options](Console& console) { return metric_mask(*options, console); };
}

}  // namespace fiducial::cli
