#include "fiducial/workflows/grounding.h"

#include <algorithm>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/workflows/prepared_run.h"
#include "fiducial/workflows/scan_cases.h"

namespace fiducial {

namespace {

constexpr std::int64_t thousand = 1000;

Json whole_schema() { return Json::object({{"type", "integer"}}); }

// Half-open range of slices that stand for a shown one: half way to its neighbours among those that are
// shown, and as far beyond the last ones. A slice half way belongs to the later one.
std::pair<std::int64_t, std::int64_t> slab_of(const PictureFrame& frame,
                                              const std::vector<ShownImage>& images) {
  std::int64_t before = -1;
  std::int64_t after = -1;
  for (const ShownImage& image : images) {
    for (const PictureFrame& other : image.frames) {
      if (other.axes.plane != frame.axes.plane) continue;
      if (other.slice < frame.slice) before = std::max(before, other.slice);
      if (other.slice > frame.slice && (after < 0 || other.slice < after)) after = other.slice;
    }
  }
  if (before < 0 && after < 0) return {frame.slice, frame.slice + 1};
  if (before < 0) before = 2 * frame.slice - after;
  if (after < 0) after = 2 * frame.slice - before;
  const std::int64_t begin = (before + frame.slice + 1) / 2;
  const std::int64_t end = (frame.slice + after + 1) / 2;
  return {std::max<std::int64_t>(0, begin), std::min(frame.axes.count[2], std::max(end, frame.slice + 1))};
}

// The columns (or rows) of a frame whose centres lie from low to high thousandths of it.
std::pair<std::int64_t, std::int64_t> under(std::int64_t low, std::int64_t high, std::int64_t count) {
  std::int64_t begin = count;
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t centre = (2 * i + 1) * thousand;
    if (centre < 2 * count * low || centre >= 2 * count * high) continue;
    begin = std::min(begin, i);
    end = i + 1;
  }
  return {begin, end};
}

std::optional<Mask> with(std::optional<Mask> all, Mask mask) {
  return all ? united(*all, mask) : std::move(mask);
}

}  // namespace

std::vector<std::pair<std::string, Json>> place_schemas() {
  Json box = exact_object_schema({{"image", whole_schema()},
                                  {"left", whole_schema()},
                                  {"top", whole_schema()},
                                  {"right", whole_schema()},
                                  {"bottom", whole_schema()}});
  return {{"regions", list_schema(text_schema())}, {"boxes", list_schema(std::move(box))}};
}

std::vector<std::string> named_regions(const Json& places) {
  std::vector<std::string> out;
  for (const std::string& name : strings_at(places, "regions")) {
    const PathMask found = Anatomy::chest_ct().mask_of(name);
    if (found.kind == PathMask::Kind::region) out.push_back(std::string(region_prefix) + found.name);
    if (found.kind == PathMask::Kind::structure) out.push_back(found.name);
    const Structure* structure = Anatomy::chest_ct().find(name);
    if (found.kind == PathMask::Kind::none && structure != nullptr) out.push_back(structure->name);
  }
  return out;
}

std::optional<Mask> Grounding::box(const Json& json) {
  const std::int64_t number = integer_at(json, "image");
  const auto image = std::find_if(
      shown_.images.begin(), shown_.images.end(),
      [number](const ShownImage& each) { return static_cast<std::int64_t>(each.number) == number; });
  if (image == shown_.images.end() || image->frames.size() != 1) {
    left_out_.push_back("a box in Image " + decimal(number) + ", which was not shown");
    return std::nullopt;
  }
  const PictureFrame& frame = image->frames.front();
  const auto [first_column, last_column] =
      under(integer_at(json, "left"), integer_at(json, "right"), frame.columns);
  const auto [first_row, last_row] = under(integer_at(json, "top"), integer_at(json, "bottom"), frame.rows);
  if (first_column >= last_column || first_row >= last_row) {
    left_out_.push_back("a box without an inside in Image " + decimal(number));
    return std::nullopt;
  }
  const auto [first_slice, last_slice] = slab_of(frame, shown_.images);
  const auto one = frame.axes.voxel(frame.left + first_column, frame.top + first_row, first_slice);
  const auto other = frame.axes.voxel(frame.left + last_column - 1, frame.top + last_row - 1, last_slice - 1);
  std::vector<MaskRun> runs;
  const auto [low_x, high_x] = std::minmax(one[0], other[0]);
  const auto [low_y, high_y] = std::minmax(one[1], other[1]);
  const auto [low_z, high_z] = std::minmax(one[2], other[2]);
  for (std::int64_t z = low_z; z <= high_z; ++z) {
    for (std::int64_t y = low_y; y <= high_y; ++y)
      runs.push_back({.row = static_cast<std::int32_t>(y + grid_.extent.y * z),
                      .begin = static_cast<std::int32_t>(low_x),
                      .end = static_cast<std::int32_t>(high_x + 1)});
  }
  return Mask::from_sorted_runs(grid_, std::move(runs));
}

std::optional<Mask> Grounding::boxes(const Json& places) {
  std::optional<Mask> out;
  const Json::Array* listed = find_array(places, "boxes");
  for (std::size_t i = 0; listed != nullptr && i < listed->size(); ++i) {
    if (std::optional<Mask> mask = box((*listed)[i])) out = with(std::move(out), *std::move(mask));
  }
  return out;
}

std::optional<Mask> Grounding::regions(const Json& places) {
  std::optional<Mask> out;
  for (const std::string& name : strings_at(places, "regions")) {
    const std::vector<std::string> known =
        named_regions(Json::object({{"regions", Json::strings(std::array{name})}}));
    if (known.empty()) {
      left_out_.push_back("the region " + name + ", which has no mask");
      continue;
    }
    StructureMask found = organs_.resolve(known.front());
    if (found.present() && found.mask->extent() == grid_.extent) {
      out = with(std::move(out), *std::move(found.mask));
    } else {
      left_out_.push_back("the region " + name + ", whose mask is " + std::string(to_string(found.status)));
    }
  }
  return out;
}

Mask Grounding::mask_of(const Json& places) {
  const std::optional<Mask> boxed = boxes(places);
  const std::optional<Mask> named = regions(places);
  if (boxed && named) return intersected(*boxed, *named);
  if (boxed) return *boxed;
  return named ? *named : Mask(grid_);
}

void LeftOut::add(const std::string& scan, std::int64_t channel, const std::vector<std::string>& what) {
  if (what.empty()) return;
  lines_ +=
      Json::object({{"case", scan}, {"channel", channel}, {"left_out", Json::strings(what)}}).compact() +
      "\n";
}

Outcome LeftOut::write(const PreparedRun& run, Json& files) const {
  const Path file = run.request().output / "left_out.jsonl";
  if (lines_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return done();
  }
  files.set("left_out.jsonl", sha256(as_bytes(lines_)).hex());
  return write_file(file, std::string_view(lines_));
}

Result<Grid> GroundedScans::grid_of(const std::string& scan) const {
  const auto volume = rexgroundingct::find_volume(run_.request().volumes, scan);
  if (!volume) return Error(ErrorCode::unavailable, "there is no CT of " + scan);
  FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*volume));
  return header.grid();
}

Result<CaseMasks> GroundedScans::organs_of(const std::string& scan, const Grid& grid,
                                           const std::vector<std::string>& names) {
  if (names.empty()) return CaseMasks(grid);
  if (!library_) {
    FIDUCIAL_TRY(library_, open_organ_masks(run_.request().dataset, run_.request().masks));
  }
  return library_->read_case(scan, grid, names);
}

Result<std::pair<std::string, Json>> GroundedScans::write(const std::string& scan,
                                                          const std::vector<Mask>& channels) const {
  std::vector<LabelMap> labels;
  for (const Mask& mask : channels) {
    std::vector<LabelRun> runs;
    for (const MaskRun& run : mask.runs())
      runs.push_back({.row = run.row, .begin = run.begin, .end = run.end, .label = 1});
    labels.emplace_back(mask.grid(), std::move(runs));
  }
  FIDUCIAL_TRY(const NiftiImage image, encode_labels(labels, ChannelAxis::first));
  const std::string name = scan.ends_with(".nii.gz") ? scan : scan + ".nii.gz";
  const Path file = run_.request().output / name;
  FIDUCIAL_TRY_DONE(write_nifti(file, image));
  FIDUCIAL_TRY(const std::string bytes, read_text_file(file, std::uint64_t{4} << 30));
  return std::pair(name, Json(sha256(as_bytes(bytes)).hex()));
}

}  // namespace fiducial
