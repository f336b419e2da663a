#include "fiducial/image/model_input.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/image/volume_slice.h"

namespace fiducial {

namespace {

// Voxels of one output voxel along an axis.
struct AreaSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

AreaSpan area_span(std::int64_t index, std::int64_t from, std::int64_t to) {
  return {index * from / to, ((index + 1) * from + to - 1) / to};
}

std::int64_t axis_stride(const Extent& extent, int axis) {
  return axis == 0 ? 1 : axis == 1 ? extent.x : extent.x * extent.y;
}

std::vector<double> resized_along(const std::vector<double>& values, const Extent& from, int axis,
                                  std::int64_t size) {
  Extent to = from;
  (axis == 0 ? to.x : axis == 1 ? to.y : to.z) = size;
  std::vector<double> out(static_cast<std::size_t>(to.count()));
  const std::int64_t stride = axis_stride(from, axis);
  const std::int64_t outer = from.count() / (from[axis] * stride);
  for (std::int64_t slab = 0; slab < outer; ++slab) {
    for (std::int64_t i = 0; i < size; ++i) {
      const AreaSpan span = area_span(i, from[axis], size);
      const double share = 1.0 / static_cast<double>(span.end - span.begin);
      double* line = out.data() + (slab * size + i) * stride;
      for (std::int64_t k = span.begin; k < span.end; ++k) {
        const double* source = values.data() + (slab * from[axis] + k) * stride;
        for (std::int64_t at = 0; at < stride; ++at) line[at] += source[at];
      }
      for (std::int64_t at = 0; at < stride; ++at) line[at] *= share;
    }
  }
  return out;
}

std::vector<std::int64_t> window_starts(std::int64_t size, std::int64_t window) {
  std::vector<std::int64_t> out;
  const std::int64_t step = std::max<std::int64_t>(1, window / 2);
  for (std::int64_t at = 0; at + window < size; at += step) out.push_back(at);
  out.push_back(std::max<std::int64_t>(0, size - window));
  return out;
}

}  // namespace

Result<FloatVolume> float_volume(const NiftiImage& image) {
  const NiftiHeader& header = image.header();
  Bytes file = nifti_header_bytes(header);
  file.insert(file.end(), image.bytes().begin(), image.bytes().end());
  const std::uint64_t size = file.size();
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(std::make_unique<MemoryStream>(file), size));
  FloatVolume out{.extent = header.extent()};
  out.values.reserve(static_cast<std::size_t>(header.voxel_count()));
  std::vector<std::int64_t> all(static_cast<std::size_t>(out.extent.z));
  for (std::size_t z = 0; z < all.size(); ++z) all[z] = static_cast<std::int64_t>(z);
  FIDUCIAL_TRY_DONE(visit_volume_slices(stream, all, [&out](std::int64_t, std::span<const float> slice) {
    out.values.insert(out.values.end(), slice.begin(), slice.end());
  }));
  return out;
}

NiftiImage float_image(const FloatVolume& volume, const Affine& affine) {
  NiftiHeader header;
  header.dim = {3, volume.extent.x, volume.extent.y, volume.extent.z, 1, 1, 1, 1};
  header.type = VoxelType::float32;
  header.set_affine(affine);
  NiftiImage image = NiftiImage::make(std::move(header));
  const auto bytes = std::as_bytes(std::span(volume.values));
  std::copy(bytes.begin(), bytes.end(), image.bytes().begin());
  return image;
}

void clip(FloatVolume& volume, float low, float high) {
  for (float& value : volume.values) value = std::min(std::max(value, low), high);
}

void standardise(FloatVolume& volume) {
  if (volume.values.empty()) return;
  const auto count = static_cast<double>(volume.values.size());
  double sum = 0;
  for (const float value : volume.values) sum += static_cast<double>(value);
  const double mean = sum / count;
  double squares = 0;
  for (const float value : volume.values) {
    const double off = static_cast<double>(value) - mean;
    squares += off * off;
  }
  const double scale = std::max(std::sqrt(squares / count), 1e-8);
  for (float& value : volume.values) value = static_cast<float>((static_cast<double>(value) - mean) / scale);
}

Result<FloatVolume> area_resized(const FloatVolume& volume, const Extent& extent) {
  if (extent.x < 1 || extent.y < 1 || extent.z < 1) {
    return bad_usage("a volume cannot be resized to " + extent.text() + " voxels");
  }
  constexpr std::int64_t most = max_image_bytes / static_cast<std::int64_t>(sizeof(double));
  if (extent.x > most || extent.y > most / extent.x || extent.z > most / extent.x / extent.y) {
    return bad_usage("a volume of " + extent.text() + " voxels is too large; at most " + decimal(most) +
                     " are made");
  }
  std::vector<double> values(volume.values.begin(), volume.values.end());
  Extent now = volume.extent;
  for (int axis = 0; axis < 3; ++axis) {
    values = resized_along(values, now, axis, extent[axis]);
    (axis == 0 ? now.x : axis == 1 ? now.y : now.z) = extent[axis];
  }
  FloatVolume out{.extent = extent};
  out.values.reserve(values.size());
  for (const double value : values) out.values.push_back(static_cast<float>(value));
  return out;
}

Affine resized_affine(const Grid& grid, const Extent& extent) {
  Affine out = grid.affine;
  Vec3 first{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double ratio = static_cast<double>(grid.extent[static_cast<int>(i)]) /
                         static_cast<double>(extent[static_cast<int>(i)]);
    for (std::size_t row = 0; row < 3; ++row) out.m[row][i] *= ratio;
    first[i] = (ratio - 1) / 2;
  }
  const Vec3 place = grid.affine.apply(first);
  for (std::size_t row = 0; row < 3; ++row) out.m[row][3] = place[row];
  return out;
}

std::vector<std::array<std::int64_t, 3>> sliding_windows(const Extent& extent, const Extent& window) {
  std::vector<std::array<std::int64_t, 3>> out;
  for (const std::int64_t x : window_starts(extent.x, window.x)) {
    for (const std::int64_t y : window_starts(extent.y, window.y)) {
      for (const std::int64_t z : window_starts(extent.z, window.z)) out.push_back({x, y, z});
    }
  }
  return out;
}

FloatVolume window_weights(const Extent& window) {
  constexpr double top = 10;
  const auto bell = [](std::int64_t at, std::int64_t size) {
    const std::int64_t middle = size / 2;  // a voxel
    const double off = static_cast<double>(at - middle) / (static_cast<double>(size) / 8);
    return std::exp(-0.5 * off * off);
  };
  FloatVolume out{.extent = window};
  out.values.reserve(static_cast<std::size_t>(window.count()));
  for (std::int64_t z = 0; z < window.z; ++z) {
    for (std::int64_t y = 0; y < window.y; ++y) {
      const double plane = top * bell(y, window.y) * bell(z, window.z);
      for (std::int64_t x = 0; x < window.x; ++x)
        out.values.push_back(static_cast<float>(plane * bell(x, window.x)));
    }
  }
  return out;
}

}  // namespace fiducial
