#include "fiducial/masks/mask_file.h"

#include <algorithm>

#include "fiducial/masks/mask_collection.h"
#include "fiducial/masks/mask_format.h"
#include "fiducial/masks/masks_on_grid.h"

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

// What a mask file is held against.
struct Wanted {
  const std::optional<ChannelShape>& shape;
  const std::optional<Grid>& volume;
};

// Masks of which slices without a voxel were left out, on the grid of the whole volume.
Result<MaskFile> read_part(MaskReader& reader, const Grid& volume) {
  FIDUCIAL_TRY(const ReadCollection read, read_collection_and_values(reader));
  FIDUCIAL_TRY(MaskCollection placed, masks_on_grid(read.masks, volume));
  MaskFile out{.shape = {static_cast<std::int64_t>(placed.masks.size()), volume.extent},
               .rank = reader.head().rank,
               .type = reader.head().type,
               .channels = {},
               .values = read.values,
               .affine = volume.affine,
               .claims_place = true,
               .shape_error = std::nullopt,
               .notes = {}};
  for (MaskCollection::Member& member : placed.masks) out.channels.push_back(std::move(member.labels));
  return out;
}

Result<MaskFile> read_mask(ByteStream& bytes, std::uint64_t size, const Wanted& wanted) {
  FIDUCIAL_TRY(const std::unique_ptr<MaskReader> reader,
               open_masks({.file = {std::make_unique<BorrowedStream>(bytes), size}, .places = nullptr}));
  const MaskHead& head = reader->head();
  std::optional<Error> shape_error;
  const bool is_part = head.covers_part && wanted.volume && head.shape.extent != wanted.volume->extent;
  const ChannelShape shape{head.shape.channels, is_part ? wanted.volume->extent : head.shape.extent};
  if (wanted.shape && shape != *wanted.shape) {
    shape_error = wrong_shape(head, *wanted.shape);
    if (is_part || !spatial_axes_permuted(head.shape, *wanted.shape)) return *shape_error;
  }
  if (is_part) return read_part(*reader, *wanted.volume);
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

MaskRead read_mask_file(StoredFile file, const std::optional<ChannelShape>& expected,
                        const std::optional<Grid>& volume) {
  HashingStream hashed(std::move(file.bytes));
  Result<MaskFile> mask = read_mask(hashed, file.size, {expected, volume});
  Result<Digest> digest = hashed.finish();
  if (digest.ok()) return {std::move(mask), *digest};
  // What changed while it was read explains whatever else is wrong with it.
  if (mask.ok() || digest.error().code() == ErrorCode::integrity) mask = std::move(digest).error();
  return {std::move(mask), std::nullopt};
}

}  // namespace fiducial
