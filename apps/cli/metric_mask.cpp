#include "metric_mask.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/mask_file.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial::cli {

namespace {

struct MaskMetricOptions {
  std::string reference;
  std::string prediction;
  std::optional<std::int32_t> label;
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

struct FindingScores {
  std::vector<Score> scores;  // one a registered metric
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

Result<MaskPair> read_pair(const MaskMetricOptions& options) {
  FIDUCIAL_TRY(MaskFile reference, read_mask(options.reference));
  FIDUCIAL_TRY(MaskFile prediction, read_mask(options.prediction));
  if (!grids_agree(reference, prediction)) {
    return invalid_data("the grids differ: " + options.reference + " has " + grid_text(reference) + "; " +
                        options.prediction + " has " + grid_text(prediction));
  }
  MaskPair out{std::move(reference), std::move(prediction), std::nullopt, {}};
  const Vec3 spacing_mm = out.reference.affine.spacing_mm();
  const bool positive = std::all_of(spacing_mm.begin(), spacing_mm.end(), [](double mm) { return mm > 0; });
  if (out.reference.claims_place && positive) {
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
  return out;
}

Json score_json(const Score& score) {
  if (score.defined()) return Json::object({{"value", score.value()}});
  return Json::object({{"value", Json()}, {"undefined", score.reason()}});
}

Json scores_json(const MaskMetricOptions& options, const MaskPair& pair,
                 const std::vector<FindingScores>& findings) {
  Json list = Json::Array{};
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Json scores = Json::Object{};
    for (std::size_t m = 0; m < findings[i].scores.size(); ++m) {
      scores.set(all_mask_metrics()[m].contract.id, score_json(findings[i].scores[m]));
    }
    list.push(Json::object({{"finding", i}, {"scores", scores}}));
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
                  "Mask or labels: 3D, or (F,H,W,D) with one finding a channel")
      ->required();
  mask.add_option("--prediction", options.prediction, "The same for what was predicted, on the same grid")
      ->required();
  mask.add_option("--label", options.label,
                  "Only voxels of this label in both (default: any but 0; labels of the "
                  "reference are its entities)");
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
