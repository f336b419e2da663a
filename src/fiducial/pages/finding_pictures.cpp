#include "fiducial/pages/finding_pictures.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fiducial/datasets/volume_file.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/pages/unit_scores.h"

namespace fiducial {

namespace {

constexpr std::size_t most_strip_slices = 7;

// What the pictures of one case are drawn from.
struct DrawnMasks {
  std::vector<LabelMap> reference;
  std::vector<LabelMap> prediction;  // as many; empty ones where the prediction cannot be used
  std::string remark;
};

Result<std::vector<LabelMap>> read_prediction(const PictureSource& source, const std::string& name,
                                              const ChannelShape& shape) {
  if (!source.predictions.has(name)) return invalid_data("no prediction");
  FIDUCIAL_TRY(StoredFile stored, source.predictions.open_file(name));
  MaskRead read = read_mask_file(std::move(stored), shape);
  FIDUCIAL_TRY(MaskFile mask, std::move(read.mask));
  if (mask.shape_error) return *mask.shape_error;
  return std::move(mask.channels);
}

Result<DrawnMasks> read_masks(const PictureSource& source, const GroundedCase& entry) {
  FIDUCIAL_TRY(StoredFile stored, source.dataset.open_mask(entry));
  MaskRead read = read_mask_file(std::move(stored), std::nullopt);
  FIDUCIAL_TRY(MaskFile truth, std::move(read.mask));
  DrawnMasks out{.reference = std::move(truth.channels)};
  auto prediction = read_prediction(source, entry.name, truth.shape);
  if (prediction.ok()) {
    out.prediction = *std::move(prediction);
    return out;
  }
  out.remark = "The prediction could not be read.";
  for (const LabelMap& reference : out.reference) out.prediction.emplace_back(reference.grid());
  return out;
}

// Draws the masks of a finding; the volume is laid under them later.
SlicePicture masks_picture(const DrawnMasks& masks, std::size_t at, std::string_view category,
                           const AxialView& view) {
  const LabelMap& reference = masks.reference[at];
  const LabelMap& prediction = masks.prediction[at];
  SlicePicture out{.view = view,
                   .slice = fullest_slice(reference, prediction, view),
                   .slices = view.extent[view.slice_axis],
                   .window = window_of(category)};
  out.has_prediction = !prediction.runs().empty();
  out.reference = mask_slice(reference, view, out.slice);
  out.prediction = mask_slice(prediction, view, out.slice);
  const bool has_reference = std::any_of(out.reference.pixels.begin(), out.reference.pixels.end(),
                                         [](auto value) { return value != 0; });
  out.crop = crop_around(has_reference ? out.reference : out.prediction, view);
  for (const std::int64_t slice : spread_slices(reference, prediction, view, most_strip_slices)) {
    out.strip.push_back({.slice = slice,
                         .volume = {},
                         .reference = mask_slice(reference, view, slice),
                         .prediction = mask_slice(prediction, view, slice)});
  }
  return out;
}

std::optional<NiftiStream> open_case_volume(const PictureSource& source, const GroundedCase& entry,
                                            const Extent& extent) {
  const auto path = source.volumes ? source.dataset.find_volume(*source.volumes, entry) : std::nullopt;
  if (!path) return std::nullopt;
  auto stream = open_volume(*path);
  if (!stream.ok() || stream->header().rank() != 3 || stream->header().extent() != extent)
    return std::nullopt;
  return *std::move(stream);
}

// The slices that a finding is drawn on: the one of its panels, then its strip.
void append_places(const SlicePicture& picture, std::vector<PlanePlace>& out) {
  out.push_back({picture.view.slice_axis, picture.slice});
  for (const StripSlice& one : picture.strip) out.push_back({picture.view.slice_axis, one.slice});
}

void lay_volume_under(NiftiStream& stream, const std::vector<ShownFinding*>& shown) {
  std::vector<PlanePlace> wanted;
  for (const ShownFinding* one : shown) append_places(*one->picture, wanted);
  const auto planes = read_volume_planes(stream, wanted);
  std::size_t next = 0;
  for (ShownFinding* one : shown) {
    if (!planes.ok()) {
      one->remark += " The CT could not be read.";
      continue;
    }
    SlicePicture& picture = *one->picture;
    picture.volume = windowed_slice(planes->at(next++), picture.view, picture.window);
    for (StripSlice& slice : picture.strip)
      slice.volume = cropped(windowed_slice(planes->at(next++), picture.view, picture.window), picture.crop);
  }
}

void draw_case(const PictureSource& source, const std::vector<ShownFinding*>& shown) {
  const ScoreRun& run = source.run;
  const GroundedCase* entry = find_case(source, run.cases[run.units[shown.front()->unit].at].name);
  if (entry == nullptr) return;
  for (ShownFinding* one : shown) {
    const std::size_t at = run.units[one->unit].number;
    if (at < entry->findings.size()) one->sentence = entry->findings[at].text;
    one->remark = "The masks could not be read.";
  }
  const auto masks = read_masks(source, *entry);
  if (!masks.ok() || masks->reference.empty()) return;
  const Extent extent = masks->reference.front().extent();
  auto volume = open_case_volume(source, *entry, extent);
  const AxialView view = volume ? AxialView::of(volume->header().grid()) : AxialView::as_stored(extent);
  for (ShownFinding* one : shown) {
    const std::size_t at = run.units[one->unit].number;
    if (at >= masks->reference.size()) return;
    one->picture = masks_picture(*masks, at, run.categories[one->unit], view);
    one->remark = masks->remark;
    if (source.volumes && !volume) one->remark += " No CT of this case was found.";
    if (!view.in_patient) one->remark += " Axes as stored: without a CT left and right are not known.";
  }
  if (volume) lay_volume_under(*volume, shown);
}

}  // namespace

const GroundedCase* find_case(const PictureSource& source, const std::string& name) {
  const std::vector<GroundedCase>* cases = source.dataset.find_split(source.run.split);
  if (cases == nullptr) return nullptr;
  const auto found = std::find_if(cases->begin(), cases->end(),
                                  [&](const GroundedCase& entry) { return entry.name == name; });
  return found == cases->end() ? nullptr : &*found;
}

Extremes extremes_of(const ScoreRun& run, const ScoreColumn& column, std::size_t worst, std::size_t best) {
  struct Ranked {
    double value;
    const std::string* name;
    std::size_t unit;
  };
  std::vector<Ranked> ranked;
  for (std::size_t unit = 0; unit < run.units.size(); ++unit) {
    const auto value = unit_value(column, unit);
    if (value && is_scored(run, column, unit))
      ranked.push_back({*value, &run.cases[run.units[unit].at].name, unit});
  }
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(a.value, *a.name, a.unit) < std::tie(b.value, *b.name, b.unit);
  });
  // A short list is shared in the proportion that was asked for.
  const std::size_t total = std::min(ranked.size(), worst + best);
  const std::size_t low = worst + best == 0 ? 0 : (total * worst + worst + best - 1) / (worst + best);
  Extremes out;
  for (std::size_t i = 0; i < low; ++i) out.worst.push_back(ranked[i].unit);
  ranked.erase(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(low));
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    if (a.value != b.value) return a.value > b.value;
    return std::tie(*a.name, a.unit) < std::tie(*b.name, b.unit);
  });
  for (std::size_t i = 0; i < total - low; ++i) out.best.push_back(ranked[i].unit);
  return out;
}

std::vector<ShownFinding> shown_findings(const std::vector<std::size_t>& chosen, const PictureSource& source,
                                         const Executor& executor) {
  std::vector<ShownFinding> out;
  out.reserve(chosen.size());
  for (const std::size_t unit : chosen) out.push_back({.unit = unit});
  std::map<std::size_t, std::vector<ShownFinding*>> by_case;
  for (ShownFinding& one : out) by_case[source.run.units[one.unit].at].push_back(&one);
  std::vector<const std::vector<ShownFinding*>*> work;
  work.reserve(by_case.size());
  for (const auto& [name, shown] : by_case) work.push_back(&shown);
  const Outcome drawn = executor.for_each(static_cast<std::int64_t>(work.size()), [&](std::int64_t index) {
    draw_case(source, *work[static_cast<std::size_t>(index)]);
    return done();
  });
  FIDUCIAL_ASSERT(drawn.ok());
  return out;
}

}  // namespace fiducial
