#include "fiducial/image/channel_order.h"

#include <cstring>

#include "fiducial/base/number_text.h"
#include "fiducial/image/reorient.h"

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

Outcome check_place_of_channels(const std::string& place, const char* option) {
  if (place.empty() || place == "first" || place == "last") return done();
  return bad_usage(std::string(option) + " \"" + place + "\"; expected first or last");
}

// Stacks of masks have no place of their own and far fewer findings than voxels along any axis.
bool looks_like_channels_first(const NiftiHeader& header) {
  const auto& dim = header.dim;
  return header.rank() == 4 && !header.claims_place() && dim[4] > 1 && dim[1] < dim[2] && dim[1] < dim[3] &&
         dim[1] < dim[4];
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

// Between the steps the channel axis is last, as NIfTI has it.
Result<NiftiImage> rearranged(NiftiImage image, const AxisOrder& order) {
  FIDUCIAL_TRY_DONE(check_place_of_channels(order.channels, "channels"));
  FIDUCIAL_TRY_DONE(check_place_of_channels(order.channels_to, "channels-to"));
  if (order.orient && order.channels.empty() && looks_like_channels_first(image.header())) {
    return bad_usage("array of shape " + image.header().shape_text() +
                     " without a place of its own: are its " + decimal(image.header().dim[1]) +
                     " first entries findings, (F,H,W,D), or voxels? Say channels first or channels last");
  }
  const bool is_first = order.channels == "first";
  const bool goes_first = order.channels_to.empty() ? is_first : order.channels_to == "first";
  if (is_first && (order.orient || !goes_first)) {
    FIDUCIAL_TRY(image, channels_moved_last(image));
  }
  if (order.orient) {
    FIDUCIAL_TRY(image, reoriented(image, *order.orient));
  }
  if (goes_first && (order.orient || !is_first)) {
    FIDUCIAL_TRY(image, channels_moved_first(image));
  }
  return image;
}

}  // namespace fiducial
