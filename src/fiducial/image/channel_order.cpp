#include "fiducial/image/channel_order.h"

#include <cstring>

namespace fiducial {

namespace {

Outcome check_rank(const NiftiImage& image) {
  if (image.header().rank() == 4) return done();
  return invalid_data("array of shape " + image.header().shape_text() + "; a channel axis needs 4 axes");
}

// Turns an array of rows x columns values into columns x rows.
void transpose(ByteView from, std::span<std::byte> to, std::int64_t rows, std::int64_t columns) {
  const auto size = from.size() / static_cast<std::size_t>(rows * columns);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      std::memcpy(to.data() + static_cast<std::size_t>(column * rows + row) * size,
                  from.data() + static_cast<std::size_t>(row * columns + column) * size, size);
    }
  }
}

NiftiImage with_dims(const NiftiImage& image, std::array<std::int64_t, 4> dims) {
  NiftiHeader header = image.header();
  for (std::size_t i = 0; i < 4; ++i) header.dim[i + 1] = dims[i];
  auto voxels = std::make_unique_for_overwrite<std::byte[]>(image.bytes().size());
  return {std::move(header), std::move(voxels)};
}

}  // namespace

Result<NiftiImage> channels_moved_last(const NiftiImage& image) {
  FIDUCIAL_TRY_DONE(check_rank(image));
  const auto& dim = image.header().dim;
  NiftiImage out = with_dims(image, {dim[2], dim[3], dim[4], dim[1]});
  transpose(image.bytes(), out.bytes(), dim[2] * dim[3] * dim[4], dim[1]);
  return out;
}

Result<NiftiImage> channels_moved_first(const NiftiImage& image) {
  FIDUCIAL_TRY_DONE(check_rank(image));
  const auto& dim = image.header().dim;
  NiftiImage out = with_dims(image, {dim[4], dim[1], dim[2], dim[3]});
  transpose(image.bytes(), out.bytes(), dim[4], dim[1] * dim[2] * dim[3]);
  return out;
}

}  // namespace fiducial
