#include "fiducial/masks/mask_file.h"

#include <algorithm>

#include "fiducial/masks/mask_format.h"

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
std::string shape_hint(const MaskHead& head, const ChannelShape& expected) {
  const auto& e = expected.extent;
  if (head.dim == Shape4{e.x, e.y, e.z, expected.channels}) return "; the channel axis is last: (H,W,D,F)";
  if (head.dim == Shape4{e.z, e.y, e.x, expected.channels}) return "; all axes are reversed: (D,W,H,F)";
  if (head.dim == Shape4{expected.channels, e.z, e.y, e.x})
    return "; the spatial axes are reversed: (F,D,W,H)";
  if (spatial_axes_permuted(head.shape, expected)) return "; the spatial axes are permuted";
  if (head.shape.extent == e) return "; the number of findings differs";
  if (!head.claims_place) return "";
  return "; \"fiducial resample MASK OUT.nii.gz --like CT --labels\" brings it onto the CT's grid";
}

Error wrong_shape(const MaskHead& head, const ChannelShape& expected) {
  return invalid_data("expected " + expected.text() + " voxels, found an array of shape " + head.shape_text +
                      shape_hint(head, expected));
}

Result<MaskFile> read_mask(ByteStream& bytes, std::uint64_t size,
                           const std::optional<ChannelShape>& expected) {
  FIDUCIAL_TRY(const std::unique_ptr<MaskReader> reader,
               open_masks({.file = {std::make_unique<BorrowedStream>(bytes), size}, .places = nullptr}));
  const MaskHead& head = reader->head();
  std::optional<Error> shape_error;
  if (expected && head.shape != *expected) {
    shape_error = wrong_shape(head, *expected);
    if (!spatial_axes_permuted(head.shape, *expected)) return *shape_error;
  }
  FIDUCIAL_TRY(LabelStack labels, reader->read_all());
  return MaskFile{.shape = head.shape,
                  .rank = head.rank,
                  .type = head.type,
                  .channels = std::move(labels.channels),
                  .values = labels.values,
                  .affine = head.affine,
                  .claims_place = head.claims_place,
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
