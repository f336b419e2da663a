#include "fiducial/views/scan_view.h"

#include <algorithm>

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/picture_writer.h"
#include "fiducial/views/area_average.h"
#include "fiducial/views/side_letters.h"

namespace fiducial {

namespace {

// A mask that a policy speaks of, with the words for it.
struct NamedMask {
  Mask mask;
  std::string title;
};

// The name that masks are asked by; "" for the whole scan.
Result<std::string> structure_of(const std::string& path) {
  const Anatomy& anatomy = Anatomy::chest_ct();
  const PathMask found = anatomy.mask_of(path);
  switch (found.kind) {
    case PathMask::Kind::whole_scan:
      return std::string();
    case PathMask::Kind::structure:
      return found.name;
    case PathMask::Kind::region:
      return std::string(region_prefix) + found.name;
    case PathMask::Kind::none:
      break;
  }
  if (const Structure* structure = anatomy.find(path)) return structure->name;
  return invalid_data("\"" + path + "\" is nothing that the anatomy knows");
}

// The mask that `of` names; none for the whole scan.
Result<std::optional<NamedMask>> find_mask(const std::string& of, const AskedRegion& asked,
                                           const CaseMasks& masks) {
  if (of == "asked" && asked.mask != nullptr) return std::optional(NamedMask{*asked.mask, asked.title});
  FIDUCIAL_TRY(const std::string name, structure_of(of == "asked" ? asked.path : of));
  if (name.empty()) return std::optional<NamedMask>();
  StructureMask found = masks.resolve(name);
  const std::string title = name.starts_with(region_prefix) ? name.substr(region_prefix.size()) : name;
  if (found.present()) return std::optional(NamedMask{*std::move(found.mask), title});
  return Error(ErrorCode::unavailable, "the mask of " + title + " is " +
                                           std::string(to_string(found.status)) +
                                           (found.detail.empty() ? "" : " (" + found.detail + ")"));
}

// Voxels of a mask in each slice of a plane.
std::vector<std::int64_t> counts_of_slices(const Mask& mask, const PlaneAxes& axes) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(axes.count[2]), 0);
  const Extent& extent = mask.extent();
  const auto slice_of = [&axes](std::int64_t index) {
    return static_cast<std::size_t>(axes.reversed[2] ? axes.count[2] - 1 - index : index);
  };
  for (const MaskRun& run : mask.runs()) {
    if (axes.axis[2] == 0) {
      for (std::int64_t x = run.begin; x < run.end; ++x) ++out[slice_of(x)];
    } else {
      const std::int64_t index = axes.axis[2] == 1 ? run.row % extent.y : run.row / extent.y;
      out[slice_of(index)] += run.end - run.begin;
    }
  }
  return out;
}

// So many of a list as wanted, each from the middle of an equal part of it.
std::vector<std::int64_t> spread_over(const std::vector<std::int64_t>& slices, std::int64_t wanted) {
  const auto all = static_cast<std::int64_t>(slices.size());
  const std::int64_t count = std::min(wanted, all);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count; ++i)
    out.push_back(slices[static_cast<std::size_t>((2 * i + 1) * all / (2 * count))]);
  return out;
}

Result<std::vector<std::int64_t>> every_step(const SliceRule& rule, const PlaneAxes& axes) {
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0;; ++i) {
    const std::int64_t slice = (2 * i * rule.step_um + axes.spacing_um[2]) / (2 * axes.spacing_um[2]);
    if (slice >= axes.count[2]) break;
    if (out.empty() || out.back() != slice) out.push_back(slice);
  }
  const auto count = static_cast<std::int64_t>(out.size());
  if (count <= rule.most) return out;
  return invalid_data("the policy shows at most " + decimal(rule.most) + " " +
                      std::string(to_string(axes.plane)) + " slices, and this scan has " + decimal(count) +
                      " at that distance");
}

Result<std::vector<std::int64_t>> shown_slices(const SliceRule& rule, const PlaneAxes& axes,
                                               const std::optional<NamedMask>& through) {
  if (rule.kind == SliceRule::Kind::every_mm) return every_step(rule, axes);
  std::vector<std::int64_t> slices;
  std::vector<std::int64_t> counts;
  if (through) counts = counts_of_slices(through->mask, axes);
  for (std::int64_t slice = 0; slice < axes.count[2]; ++slice) {
    if (!through || counts[static_cast<std::size_t>(slice)] > 0) slices.push_back(slice);
  }
  return spread_over(slices, rule.count);
}

// The box of a plane that is shown: all of it, or what is around a mask.
PictureFrame frame_of(const PlaneAxes& axes, const RegionRule* rule, const std::optional<NamedMask>& region) {
  PictureFrame out{.axes = axes, .columns = axes.count[0], .rows = axes.count[1]};
  if (rule == nullptr || rule->kind != RegionRule::Kind::crop || !region) return out;
  const VoxelBox bounds = region->mask.bounds();
  std::array<std::int64_t, 2> low{};
  std::array<std::int64_t, 2> high{};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto axis = static_cast<std::size_t>(axes.axis[i]);
    const std::int64_t margin = (rule->margin_mm * 1000 + axes.spacing_um[i] - 1) / axes.spacing_um[i];
    low[i] = axes.reversed[i] ? axes.count[i] - bounds.high[axis] : bounds.low[axis];
    high[i] = axes.reversed[i] ? axes.count[i] - bounds.low[axis] : bounds.high[axis];
    low[i] = std::max<std::int64_t>(0, low[i] - margin);
    high[i] = std::min(axes.count[i], high[i] + margin);
  }
  out.left = low[0];
  out.top = low[1];
  out.columns = high[0] - low[0];
  out.rows = high[1] - low[1];
  return out;
}

// Square pixels: the longer side as long as the policy says.
RasterSize size_of(const PictureFrame& frame, std::int64_t longest_px) {
  const std::int64_t width_um = frame.columns * frame.axes.spacing_um[0];
  const std::int64_t height_um = frame.rows * frame.axes.spacing_um[1];
  const std::int64_t longest_um = std::max(width_um, height_um);
  const auto pixels = [&](std::int64_t um) {
    return std::max<std::int64_t>(1, (2 * um * longest_px + longest_um) / (2 * longest_um));
  };
  return {pixels(width_um), pixels(height_um)};
}

// The grey of a mean of Hounsfield units, rounded half up.
std::uint8_t grey_of(std::int64_t sum, std::int64_t weight, const ViewWindow& window) {
  const std::int64_t above_low = 2 * sum - (2 * window.centre_hu - window.width_hu) * weight;
  const std::int64_t whole = 2 * window.width_hu * weight;
  if (above_low <= 0) return 0;
  if (above_low >= whole) return 255;
  return static_cast<std::uint8_t>((above_low * 255 * 2 + whole) / (2 * whole));
}

// Draws the slices of one scan.
class SlicePainter {
 public:
  SlicePainter(const ViewPolicy& policy, const ScanArray& scan, const std::optional<NamedMask>& region)
      : policy_(policy), scan_(scan) {
    if (region) inside_ = region->mask.dense();
  }

  Picture draw(const PictureFrame& frame, std::span<const ViewWindow> windows) const {
    const RasterSize size = size_of(frame, policy_.longest_px);
    const AreaSums hu =
        area_sums(values(frame, [this](const auto& voxel) { return std::int32_t{scan_.at(voxel)}; }),
                  {frame.columns, frame.rows}, size);
    const std::vector<bool> region = region_of(frame, size);
    const bool has_outline = !region.empty() && policy_.region->kind == RegionRule::Kind::outline;
    Picture out{
        .width = size.width, .height = size.height, .channels = windows.size() == 3 || has_outline ? 3 : 1};
    const auto channels = static_cast<std::size_t>(out.channels);
    out.values.resize(hu.sums.size() * channels);
    for (std::size_t i = 0; i < hu.sums.size(); ++i) {
      for (std::size_t c = 0; c < channels; ++c)
        out.values[i * channels + c] = grey_of(hu.sums[i], hu.weight, windows[windows.size() == 3 ? c : 0]);
    }
    if (policy_.side_letters) write_side_letters(out, frame.axes.plane);
    if (!region.empty()) show_region(region, out);
    return out;
  }

 private:
  template <typename ValueAt>
  static std::vector<std::int32_t> values(const PictureFrame& frame, const ValueAt& value_at) {
    std::vector<std::int32_t> out;
    out.reserve(static_cast<std::size_t>(frame.columns * frame.rows));
    for (std::int64_t row = 0; row < frame.rows; ++row) {
      for (std::int64_t column = 0; column < frame.columns; ++column)
        out.push_back(value_at(frame.axes.voxel(frame.left + column, frame.top + row, frame.slice)));
    }
    return out;
  }

  // Pixels that the region covers at least half of; none where the region is not drawn.
  std::vector<bool> region_of(const PictureFrame& frame, RasterSize size) const {
    if (inside_.empty() || policy_.region->kind == RegionRule::Kind::crop) return {};
    const Extent& extent = scan_.grid.extent;
    const auto is_inside = [this, &extent](const std::array<std::int64_t, 3>& voxel) {
      const std::int64_t at = voxel[0] + extent.x * (voxel[1] + extent.y * voxel[2]);
      return std::int32_t{inside_[static_cast<std::size_t>(at)] != 0 ? 1 : 0};
    };
    const AreaSums covered = area_sums(values(frame, is_inside), {frame.columns, frame.rows}, size);
    std::vector<bool> out;
    for (const std::int64_t sum : covered.sums) out.push_back(2 * sum >= covered.weight);
    return out;
  }

  void show_region(const std::vector<bool>& region, Picture& out) const {
    const auto inside = [&](std::int64_t x, std::int64_t y) {
      return x >= 0 && y >= 0 && x < out.width && y < out.height &&
             region[static_cast<std::size_t>(y * out.width + x)];
    };
    const bool is_outline = policy_.region->kind == RegionRule::Kind::outline;
    constexpr std::array<std::uint8_t, 3> yellow{255, 214, 0};
    for (std::int64_t y = 0; y < out.height; ++y) {
      for (std::int64_t x = 0; x < out.width; ++x) {
        auto* pixel = out.values.data() + (y * out.width + x) * out.channels;
        if (!is_outline) {
          if (!inside(x, y)) std::fill_n(pixel, out.channels, std::uint8_t{0});
          continue;
        }
        const bool is_border =
            inside(x, y) && !(inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1));
        if (is_border) std::copy(yellow.begin(), yellow.end(), pixel);
      }
    }
  }

  const ViewPolicy& policy_;
  const ScanArray& scan_;
  std::vector<std::uint8_t> inside_;  // of the region, one a voxel; none where there is none
};

Bytes encoded(const Picture& picture, const PictureCodec& codec) {
  return codec.format == PictureCodec::Format::jpeg ? jpeg_file(picture, codec.quality)
                                                    : stable_png_file(picture);
}

// Pictures of equal size beside and under each other; what is left of the last row is black.
Picture montage_of(std::span<const Picture> cells, std::int64_t columns, std::int64_t rows) {
  const Picture& first = cells.front();
  Picture out{.width = first.width * columns, .height = first.height * rows, .channels = first.channels};
  out.values.assign(static_cast<std::size_t>(out.width * out.height * out.channels), 0);
  const auto row_values = static_cast<std::size_t>(first.width * first.channels);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::int64_t left = static_cast<std::int64_t>(i) % columns * first.width;
    const std::int64_t top = static_cast<std::int64_t>(i) / columns * first.height;
    for (std::int64_t y = 0; y < first.height; ++y) {
      const auto* from = cells[i].values.data() + static_cast<std::size_t>(y) * row_values;
      std::copy_n(from, row_values, out.values.data() + ((top + y) * out.width + left) * out.channels);
    }
  }
  return out;
}

std::string_view begins_at(ViewPlane plane) {
  return plane == ViewPlane::axial     ? "from the head"
         : plane == ViewPlane::coronal ? "from the front"
                                       : "from the right";
}

std::string slice_note(std::span<const PictureFrame> frames) {
  const PlaneAxes& axes = frames.front().axes;
  const auto number = [](const PictureFrame& frame) { return decimal(frame.slice + 1); };
  std::string out(to_string(axes.plane));
  out += frames.size() == 1 ? " slice " : " slices ";
  for (std::size_t i = 0; i < frames.size(); ++i) out += (i == 0 ? "" : ", ") + number(frames[i]);
  return out + " of " + decimal(axes.count[2]) + " " + std::string(begins_at(axes.plane));
}

std::string region_note(const ViewPolicy& policy, const std::optional<NamedMask>& region) {
  if (!policy.region || !region) return {};
  switch (policy.region->kind) {
    case RegionRule::Kind::outline:
      return ", " + region->title + " outlined";
    case RegionRule::Kind::crop:
      return ", cut out around the " + region->title;
    case RegionRule::Kind::mask:
      return ", " + region->title + " alone";
  }
  return {};
}

std::string windows_note(const ViewPolicy& policy, std::span<const ViewWindow> windows) {
  if (!policy.windows_as_channels) return windows.front().text();
  return windows[0].text() + " in red, " + windows[1].text() + " in green, " + windows[2].text() + " in blue";
}

}  // namespace

std::vector<std::string> wanted_structures(const ViewPolicy& policy, const AskedRegion& asked) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& of) {
    if (of == "asked" && asked.mask != nullptr) return;
    const Result<std::string> name = structure_of(of == "asked" ? asked.path : of);
    if (!name.ok() || name->empty()) return;
    out.push_back(*name);
  };
  if (policy.slices.kind == SliceRule::Kind::through) add(policy.slices.of);
  if (policy.region) add(policy.region->of);
  return out;
}

Result<std::vector<ViewPicture>> scan_pictures(const ViewPolicy& policy, const ScanArray& scan,
                                               const AskedRegion& asked, const CaseMasks& masks) {
  const bool may_be_absent = policy.region && policy.region->whole_scan_if_absent;
  const auto mask_or_whole = [&](const std::string& of) -> Result<std::optional<NamedMask>> {
    Result<std::optional<NamedMask>> found = find_mask(of, asked, masks);
    if (!found.ok() && found.error().code() == ErrorCode::unavailable && may_be_absent)
      return std::optional<NamedMask>();
    if (found.ok() && *found && (*found)->mask.extent() != scan.grid.extent)
      return invalid_data("the mask of " + (*found)->title + " is on another grid than the scan");
    return found;
  };
  std::optional<NamedMask> through;
  std::optional<NamedMask> region;
  if (policy.slices.kind == SliceRule::Kind::through) {
    FIDUCIAL_TRY(through, mask_or_whole(policy.slices.of));
  }
  if (policy.region) {
    FIDUCIAL_TRY(region, mask_or_whole(policy.region->of));
  }
  const SlicePainter painter(policy, scan, region);
  std::vector<std::vector<ViewWindow>> looks;
  if (policy.windows_as_channels) looks.push_back(policy.windows);
  for (const ViewWindow& window : policy.windows) {
    if (!policy.windows_as_channels) looks.push_back({window});
  }
  const auto page = static_cast<std::size_t>(policy.montage_columns * policy.montage_rows);
  std::vector<ViewPicture> out;
  for (const ViewPlane plane : policy.planes) {
    const PlaneAxes axes = PlaneAxes::of(scan.grid, plane);
    FIDUCIAL_TRY(const std::vector<std::int64_t> slices, shown_slices(policy.slices, axes, through));
    PictureFrame frame = frame_of(axes, policy.region ? &*policy.region : nullptr, region);
    for (const std::vector<ViewWindow>& windows : looks) {
      for (std::size_t begin = 0; begin < slices.size(); begin += page) {
        ViewPicture picture;
        std::vector<Picture> cells;
        for (std::size_t i = begin; i < std::min(slices.size(), begin + page); ++i) {
          frame.slice = slices[i];
          picture.frames.push_back(frame);
          cells.push_back(painter.draw(frame, windows));
        }
        picture.file = encoded(
            page == 1 ? cells.front() : montage_of(cells, policy.montage_columns, policy.montage_rows),
            policy.codec);
        picture.note =
            slice_note(picture.frames) + ", " + windows_note(policy, windows) + region_note(policy, region);
        out.push_back(std::move(picture));
      }
    }
  }
  return out;
}

}  // namespace fiducial
