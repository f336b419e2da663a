#include "fiducial/export/drawn_masks.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/image/label_encoder.h"
#include "fiducial/views/scan_array.h"

namespace fiducial {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{8} << 30;

// A picture's case and slice, by the last two parts of its name.
struct PicturePlace {
  std::string stem;
  std::int64_t slice = 0;
};

Result<PicturePlace> place_of_picture(const std::string& name) {
  const std::size_t file = name.rfind('/');
  const std::size_t folder =
      file == std::string::npos || file == 0 ? std::string::npos : name.rfind('/', file - 1);
  const std::size_t begin = folder == std::string::npos ? 0 : folder + 1;
  const std::string number =
      file == std::string::npos ? "" : name.substr(file + 1, name.rfind('.') - file - 1);
  const auto slice = parse_unsigned(number);
  constexpr std::uint64_t most = 1'000'000;
  if (!slice || *slice > most || file <= begin)
    return invalid_data("the picture " + name + " is no exported slice; expected .../CASE/0041.png");
  return PicturePlace{.stem = name.substr(begin, file - begin), .slice = static_cast<std::int64_t>(*slice)};
}

// The one finding of a case that has a category, by its code or title.
Result<std::int64_t> finding_of(const DrawnShape& shape, const GroundedCase& entry) {
  if (shape.finding) {
    if (*shape.finding >= 0 && *shape.finding < static_cast<std::int64_t>(entry.findings.size()))
      return *shape.finding;
    return at_pointer(shape.pointer, entry.name + " has no finding " + decimal(*shape.finding));
  }
  std::optional<std::int64_t> found;
  for (const Finding& finding : entry.findings) {
    if (finding.category_title != shape.category && finding.category != shape.category) continue;
    if (found)
      return at_pointer(shape.pointer, "several findings of " + entry.name + " are " + shape.category +
                                           "; attributes.finding says which is meant");
    found = finding.index;
  }
  if (!found)
    return at_pointer(shape.pointer, "no finding of " + entry.name + " is \"" + shape.category + "\"");
  return *found;
}

struct Voxel {
  std::int32_t row = 0;
  std::int32_t x = 0;
  std::int32_t entity = 0;
};

// Voxels in the order they were drawn, as labels: of a voxel that was drawn twice the later entity.
LabelMap labels_of(const Grid& grid, std::vector<Voxel> voxels) {
  const auto before = [](const Voxel& a, const Voxel& b) {
    return a.row != b.row ? a.row < b.row : a.x < b.x;
  };
  std::stable_sort(voxels.begin(), voxels.end(), before);
  std::vector<LabelRun> runs;
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Voxel& voxel = voxels[i];
    if (i + 1 < voxels.size() && !before(voxel, voxels[i + 1])) continue;
    if (!runs.empty() && runs.back().row == voxel.row && runs.back().end == voxel.x &&
        runs.back().label == voxel.entity) {
      ++runs.back().end;
    } else {
      runs.push_back({.row = voxel.row, .begin = voxel.x, .end = voxel.x + 1, .label = voxel.entity});
    }
  }
  return {grid, std::move(runs)};
}

// The drawn channels of one case.
class DrawnCase {
 public:
  DrawnCase(const GroundedCase& entry, const Grid& grid)
      : entry_(entry),
        grid_(grid),
        axes_(PlaneAxes::of(grid, ViewPlane::axial)),
        voxels_(entry.findings.size()) {}

  Outcome add(const DrawnShape& shape, std::int64_t slice, const AnnotationFormat& format) {
    if (shape.width != axes_.count[0] || shape.height != axes_.count[1] || slice >= axes_.count[2])
      return at_pointer(shape.pointer, shape.picture + " has " + decimal(shape.width) + " x " +
                                           decimal(shape.height) + " pixels; the slices of " + entry_.name +
                                           " are " + decimal(axes_.count[2]) + " of " +
                                           decimal(axes_.count[0]) + " x " + decimal(axes_.count[1]));
    if (shape.entity < 1 || shape.entity > 255)
      return at_pointer(shape.pointer, "entities are 1 to 255, found " + decimal(std::int64_t{shape.entity}));
    FIDUCIAL_TRY(const std::int64_t finding, finding_of(shape, entry_));
    const Result<PixelMask> pixels = format.pixels(shape);
    if (!pixels.ok() && pixels.error().place().pointer.empty())
      return at_pointer(shape.pointer, pixels.error().message());
    if (!pixels.ok()) return pixels.error();
    std::vector<Voxel>& voxels = voxels_[static_cast<std::size_t>(finding)];
    for (std::int64_t row = 0; row < pixels->height; ++row) {
      for (std::int64_t column = 0; column < pixels->width; ++column) {
        if (pixels->at(column, row) == 0) continue;
        const auto [x, y, z] = axes_.voxel(column, row, slice);
        voxels.push_back({.row = static_cast<std::int32_t>(y + grid_.extent.y * z),
                          .x = static_cast<std::int32_t>(x),
                          .entity = shape.entity});
      }
    }
    return done();
  }

  Outcome write(const Path& file) {
    std::vector<LabelMap> channels;
    for (std::vector<Voxel>& each : voxels_) channels.push_back(labels_of(grid_, std::move(each)));
    FIDUCIAL_TRY(const NiftiImage image, encode_labels(channels, ChannelAxis::first));
    return write_nifti(file, image);
  }

 private:
  const GroundedCase& entry_;
  Grid grid_;
  PlaneAxes axes_;
  std::vector<std::vector<Voxel>> voxels_;  // by finding
};

using ShapesOfCases = std::map<std::string, std::vector<std::pair<std::int64_t, const DrawnShape*>>>;

Result<ShapesOfCases> by_case(const DrawnShapes& drawn, const std::set<std::string>& known) {
  ShapesOfCases out;
  for (const std::string& picture : drawn.pictures) {
    FIDUCIAL_TRY(const PicturePlace place, place_of_picture(picture));
    if (!known.contains(place.stem))
      return invalid_data(place.stem + " (of " + picture + ") is no case of the split");
    out[place.stem];
  }
  for (const DrawnShape& shape : drawn.shapes) {
    FIDUCIAL_TRY(const PicturePlace place, place_of_picture(shape.picture));
    out[place.stem].emplace_back(place.slice, &shape);
  }
  return out;
}

Result<Grid> grid_of(const GroundedDataset& dataset, const GroundedCase& entry, const Path& volumes) {
  const auto volume = dataset.find_volume(volumes, entry);
  if (!volume)
    return Error(ErrorCode::invalid_data, "no CT of " + entry.name + " below this folder",
                 Place{.path = volumes.string()});
  FIDUCIAL_TRY(const NiftiHeader header, read_volume_header(*volume));
  return header.grid();
}

}  // namespace

Result<DrawnMasks> write_drawn_masks(const DrawnMasksRequest& request, Progress& progress) {
  const AnnotationFormat& format = *find_annotation_format(request.from);
  const std::string name = request.file.string();
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  FIDUCIAL_TRY(const std::string split, choose_split(*opened.dataset, request.split));
  FIDUCIAL_TRY(const std::string text, read_text_file(request.file, largest_file));
  FIDUCIAL_TRY(const Json document, parse_json(text).in_file(name));
  FIDUCIAL_TRY(const DrawnShapes drawn, format.read(document).in_file(name));
  std::map<std::string, const GroundedCase*> cases;
  std::set<std::string> known;
  for (const GroundedCase& entry : *opened.dataset->find_split(split)) {
    cases[volume_stem(entry.name)] = &entry;
    known.insert(volume_stem(entry.name));
  }
  FIDUCIAL_TRY(const ShapesOfCases shapes, by_case(drawn, known).in_file(name));
  FIDUCIAL_TRY(StagedFolder folder, StagedFolder::create(request.output, "", false));
  DrawnMasks out{.shapes = static_cast<std::int64_t>(drawn.shapes.size())};
  progress.begin("Writing masks", static_cast<std::int64_t>(shapes.size()));
  for (const auto& [stem, drawn_on_it] : shapes) {
    const GroundedCase& entry = *cases.at(stem);
    FIDUCIAL_TRY(const Grid grid, grid_of(*opened.dataset, entry, request.volumes));
    DrawnCase one(entry, grid);
    for (const auto& [slice, shape] : drawn_on_it)
      FIDUCIAL_TRY_DONE(one.add(*shape, slice, format).in_file(name));
    FIDUCIAL_TRY_DONE(one.write(folder.staging() / entry.name));
    ++out.cases;
    progress.advance(1);
  }
  progress.end();
  out.missing = static_cast<std::int64_t>(cases.size()) - out.cases;
  FIDUCIAL_TRY_DONE(folder.publish());
  return out;
}

}  // namespace fiducial
