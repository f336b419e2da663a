#include "fiducial/datasets/mask_file.h"

#include <algorithm>

#include "fiducial/image/nifti_file.h"

namespace fiducial {

namespace {

using Shape4 = std::array<std::int64_t, 4>;

bool spatial_axes_permuted(const ChannelShape& found, const ChannelShape& expected) {
  std::array<std::int64_t, 3> a{found.extent.x, found.extent.y, found.extent.z};
  std::array<std::int64_t, 3> b{expected.extent.x, expected.extent.y, expected.extent.z};
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return found.channels == expected.channels && a == b;
}

// What a wrong shape looks like, to be told to the user; empty when it looks like nothing known.
std::string shape_hint(const NiftiHeader& header, const ChannelShape& found, const ChannelShape& expected) {
  const auto& e = expected.extent;
  const Shape4 dims{header.dim[1], header.dim[2], header.dim[3], header.dim[4]};
  if (dims == Shape4{e.x, e.y, e.z, expected.channels}) return "; the channel axis is last: (H,W,D,F)";
  if (dims == Shape4{e.z, e.y, e.x, expected.channels}) return "; all axes are reversed: (D,W,H,F)";
  if (dims == Shape4{expected.channels, e.z, e.y, e.x}) return "; the spatial axes are reversed: (F,D,W,H)";
  if (spatial_axes_permuted(found, expected)) return "; the spatial axes are permuted";
  if (found.extent == e) return "; the number of findings differs";
  if (!header.claims_place()) return "";
  return "; \"fiducial resample MASK OUT.nii.gz --like CT --labels\" brings it onto the CT's grid";
}

Result<ChannelAxis> axis_of(const NiftiHeader& header) {
  if (header.rank() == 2 || header.rank() == 3) return ChannelAxis::none;
  if (header.rank() == 4) return ChannelAxis::first;
  return invalid_data("array of shape " + header.shape_text() + "; expected (F,H,W,D)");
}

Error wrong_shape(const NiftiHeader& header, const ChannelShape& found, const ChannelShape& expected) {
  return invalid_data("expected " + expected.text() + " voxels, found an array of shape " +
                      header.shape_text() + shape_hint(header, found, expected));
}

Result<MaskFile> read_mask(ByteStream& bytes, std::uint64_t size,
                           const std::optional<ChannelShape>& expected) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(std::make_unique<BorrowedStream>(bytes), size));
  const NiftiHeader& header = stream.header();
  FIDUCIAL_TRY(const ChannelAxis axis, axis_of(header));
  FIDUCIAL_TRY(const ChannelShape shape, channel_shape(header, axis));
  std::optional<Error> shape_error;
  if (expected && shape != *expected) {
    shape_error = wrong_shape(header, shape, *expected);
    if (!spatial_axes_permuted(shape, *expected)) return *shape_error;
  }
  FIDUCIAL_TRY(LabelStack labels, decode_labels(stream, axis));
  return MaskFile{.shape = shape,
                  .rank = header.rank(),
                  .type = header.type,
                  .channels = std::move(labels.channels),
                  .values = labels.values,
                  .affine = header.affine,
                  .claims_place = header.claims_place(),
                  .shape_error = std::move(shape_error),
                  .notes = std::move(labels.notes)};
}

}  // namespace

MaskRead read_mask_file(StoredFile file, const std::optional<ChannelShape>& expected) {
  HashingStream hashed(std::move(file.bytes));
  Result<MaskFile> mask = read_mask(hashed, file.size, expected);
  Result<Digest> digest = hashed.finish();
  if (digest.ok()) return {std::move(mask), *digest};
  // What changed while it was read explains whatever else is wrong with it.
  if (mask.ok() || digest.error().code() == ErrorCode::integrity) mask = std::move(digest).error();
  return {std::move(mask), std::nullopt};
}

}  // namespace fiducial
