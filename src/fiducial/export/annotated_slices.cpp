#include "fiducial/export/annotated_slices.h"

#include <algorithm>
#include <tuple>

#include "fiducial/anatomy/mask_places.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/staged_file.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/image/picture_writer.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

namespace {

std::string four_digits(std::int64_t number) {
  std::string out = decimal(number);
  return std::string(out.size() < 4 ? 4 - out.size() : 0, '0') + out;
}

// Where a voxel lies on the screen: column, row, slice.
std::array<std::int64_t, 3> on_screen(const PlaneAxes& axes, const std::array<std::int64_t, 3>& voxel) {
  std::array<std::int64_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t at = voxel[static_cast<std::size_t>(axes.axis[i])];
    out[i] = axes.reversed[i] ? axes.count[i] - 1 - at : at;
  }
  return out;
}

using ShapeKey = std::tuple<std::int64_t, std::int64_t, std::int32_t>;  // slice, finding, entity

// The channels of a mask file on the grid of its CT.
Result<std::vector<LabelMap>> channels_of(StoredFile file, const GroundedCase& entry, const Grid& grid) {
  const auto findings = static_cast<std::int64_t>(entry.findings.size());
  const ChannelShape expected{.channels = findings, .extent = grid.extent};
  MaskRead read = read_mask_file(std::move(file), expected);
  FIDUCIAL_TRY(MaskFile mask, std::move(read.mask));
  if (mask.shape_error) return *mask.shape_error;
  std::vector<LabelMap> out;
  for (const LabelMap& channel : mask.channels) out.push_back(channel.on_grid(grid.affine));
  return out;
}

}  // namespace

std::string SlicedCase::stem() const { return volume_stem(entry->name); }

std::string SlicedCase::picture_name(std::int64_t slice) const {
  return "images/" + stem() + "/" + four_digits(slice) + ".png";
}

Bytes SlicedCase::picture(std::int64_t slice, const ViewWindow& window) const {
  Picture out{.width = axes.count[0], .height = axes.count[1], .channels = 1, .values = {}};
  out.values.reserve(static_cast<std::size_t>(out.width * out.height));
  const std::int64_t black = window.centre_hu - window.width_hu / 2;
  for (std::int64_t row = 0; row < out.height; ++row) {
    for (std::int64_t column = 0; column < out.width; ++column) {
      const std::int64_t above = scan->at(axes.voxel(column, row, slice)) - black;
      out.values.push_back(
          static_cast<std::uint8_t>(std::clamp<std::int64_t>(above * 255 / window.width_hu, 0, 255)));
    }
  }
  return stable_png_file(out);
}

std::map<std::int64_t, std::vector<SliceShape>> shapes_by_slice(std::span<const LabelMap> channels,
                                                                const PlaneAxes& axes) {
  std::map<ShapeKey, PixelMask> drawn;
  for (std::size_t finding = 0; finding < channels.size(); ++finding) {
    const std::int64_t height = channels[finding].grid().extent.y;
    for (const LabelRun& run : channels[finding].runs()) {
      for (std::int64_t x = run.begin; x < run.end; ++x) {
        const auto place = on_screen(axes, {x, run.row % height, run.row / height});
        auto [found, is_new] =
            drawn.try_emplace({place[2], static_cast<std::int64_t>(finding), run.label}, PixelMask());
        if (is_new) found->second = PixelMask::empty_of(axes.count[0], axes.count[1]);
        found->second.at(place[0], place[1]) = 1;
      }
    }
  }
  std::map<std::int64_t, std::vector<SliceShape>> out;
  for (auto& [key, pixels] : drawn) {
    const auto& [slice, finding, entity] = key;
    out[slice].push_back({.finding = finding, .entity = entity, .pixels = std::move(pixels)});
  }
  return out;
}

Outcome visit_sliced_cases(const ExportCall& call, const std::function<Outcome(const SlicedCase&)>& visit) {
  const ExportRequest& request = call.request;
  FIDUCIAL_TRY(const OpenedGroundedDataset opened, open_grounded_dataset(request.dataset));
  FIDUCIAL_TRY(const std::string split, choose_split(*opened.dataset, request.split));
  FIDUCIAL_TRY_DONE(allow_split(call.terms, request.dataset, split));
  std::optional<PredictionFiles> predictions;
  if (request.predictions) {
    FIDUCIAL_TRY(PredictionFiles files, PredictionFiles::open(*request.predictions));
    predictions.emplace(std::move(files));
  }
  const std::vector<GroundedCase>& cases = *opened.dataset->find_split(split);
  call.progress.begin("Cutting slices", static_cast<std::int64_t>(cases.size()));
  for (const GroundedCase& entry : cases) {
    call.progress.advance(1);
    if (entry.findings.empty() || (predictions && !predictions->has(entry.name))) continue;
    const auto volume = opened.dataset->find_volume(*request.volumes, entry);
    if (!volume)
      return Error(ErrorCode::invalid_data, "no CT of " + entry.name + " below this folder",
                   Place{.path = request.volumes->string()});
    FIDUCIAL_TRY(const ScanArray scan, ScanArray::read(*volume));
    FIDUCIAL_TRY(StoredFile file,
                 predictions ? predictions->open_file(entry.name) : opened.dataset->open_mask(entry));
    const Result<std::vector<LabelMap>> channels = channels_of(std::move(file), entry, scan.grid);
    if (!channels.ok()) return Error(channels.error()).in_file(entry.name);
    SlicedCase one{
        .entry = &entry, .scan = &scan, .axes = PlaneAxes::of(scan.grid, ViewPlane::axial), .slices = {}};
    one.slices = shapes_by_slice(*channels, one.axes);
    FIDUCIAL_TRY_DONE(visit(one));
  }
  call.progress.end();
  return done();
}

Outcome write_slices(const SlicedCase& one, const ViewWindow& window, const Path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder / "images" / one.stem(), failure);
  if (failure) return Error(ErrorCode::io, failure.message(), Place{.path = folder.string()});
  for (const auto& [slice, shapes] : one.slices) {
    const Bytes picture = one.picture(slice, window);
    FIDUCIAL_TRY_DONE(write_staged_file(folder / one.picture_name(slice), as_text(picture)));
  }
  return done();
}

TaskOption window_option() {
  return {.name = "window",
          .help = "Hounsfield units from black to white of the slices' pictures: CENTRE,WIDTH",
          .fallback = "-600,1500"};
}

Result<ViewWindow> window_of(const ExportCall& call) {
  const std::string text = call.text("window");
  const std::size_t comma = text.find(',');
  const auto centre = parse_double(text.substr(0, comma));
  const auto width = comma == std::string::npos ? std::nullopt : parse_double(text.substr(comma + 1));
  constexpr double most = 100'000;
  if (!centre || !width || std::abs(*centre) > most || *width < 1 || *width > most)
    return bad_usage("--window: expected CENTRE,WIDTH in Hounsfield units, found " + text);
  return ViewWindow{.name = "",
                    .centre_hu = static_cast<std::int64_t>(*centre),
                    .width_hu = static_cast<std::int64_t>(*width)};
}

}  // namespace fiducial
