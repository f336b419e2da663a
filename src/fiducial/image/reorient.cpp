#include "fiducial/image/reorient.h"

#include <cstring>

namespace fiducial {

namespace {

struct Strides {
  std::ptrdiff_t start = 0;              // of the first output voxel in the input, in bytes
  std::array<std::ptrdiff_t, 3> step{};  // along each output axis
};

Strides strides_of(const Extent& input, const Reorientation& how, std::ptrdiff_t voxel_bytes) {
  const std::array<std::ptrdiff_t, 3> natural{voxel_bytes, voxel_bytes * input.x,
                                              voxel_bytes * input.x * input.y};
  Strides out;
  for (std::size_t i = 0; i < 3; ++i) {
    const int axis = how.source[i];
    const std::ptrdiff_t step = natural[static_cast<std::size_t>(axis)];
    out.step[i] = how.reversed[i] ? -step : step;
    if (how.reversed[i]) out.start += step * (input[axis] - 1);
  }
  return out;
}

template <std::size_t Size>
void copy_row(const std::byte* from, std::ptrdiff_t step, std::byte* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i, from += step, to += Size) std::memcpy(to, from, Size);
}

using CopyRow = void (*)(const std::byte*, std::ptrdiff_t, std::byte*, std::int64_t);

CopyRow row_copier(std::int64_t voxel_bytes) {
  switch (voxel_bytes) {
    case 1:
      return copy_row<1>;
    case 2:
      return copy_row<2>;
    case 3:
      return copy_row<3>;
    case 4:
      return copy_row<4>;
    case 8:
      return copy_row<8>;
    case 16:
      return copy_row<16>;
    default:
      return copy_row<32>;
  }
}

}  // namespace

NiftiImage reoriented(const NiftiImage& image, const Reorientation& how) {
  const Extent input = image.header().extent();
  const std::int64_t voxel_bytes = size_bytes(image.header().type);
  NiftiHeader header = image.header();
  const Grid grid = how.apply(image.header().grid());
  header.dim[0] = std::max<std::int64_t>(3, header.dim[0]);
  for (int i = 0; i < 3; ++i) header.dim[static_cast<std::size_t>(i) + 1] = grid.extent[i];
  header.set_affine(grid.affine, header.sform_code > 0   ? header.sform_code
                                 : header.qform_code > 0 ? header.qform_code
                                                         : 1);
  NiftiImage out(header, std::make_unique_for_overwrite<std::byte[]>(image.bytes().size()));
  const Strides strides = strides_of(input, how, voxel_bytes);
  const CopyRow copy = row_copier(voxel_bytes);
  std::byte* to = out.bytes().data();
  const std::int64_t volume_bytes = input.count() * voxel_bytes;
  for (std::int64_t volume = 0; volume * volume_bytes < header.voxel_bytes(); ++volume) {
    const std::byte* origin = image.bytes().data() + volume * volume_bytes + strides.start;
    for (std::int64_t z = 0; z < grid.extent.z; ++z) {
      for (std::int64_t y = 0; y < grid.extent.y; ++y) {
        copy(origin + z * strides.step[2] + y * strides.step[1], strides.step[0], to, grid.extent.x);
        to += grid.extent.x * voxel_bytes;
      }
    }
  }
  return out;
}

Result<NiftiImage> reoriented(const NiftiImage& image, const OrientationCode& target) {
  if (image.header().affine.determinant() == 0) {
    return invalid_data("the affine is singular, so the axes have no direction");
  }
  return reoriented(image, reorientation(OrientationCode::of(image.header().affine), target));
}

}  // namespace fiducial
