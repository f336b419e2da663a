#include <algorithm>

#include "fiducial/image/nifti_file.h"
#include "fiducial/masks/mask_format.h"

namespace fiducial {

MaskFormat nifti_mask_format();

namespace {

Result<ChannelAxis> axis_of(const NiftiHeader& header) {
  if (header.rank() == 2 || header.rank() == 3) return ChannelAxis::none;
  if (header.rank() == 4) return ChannelAxis::first;
  return invalid_data("array of shape " + header.shape_text() + "; expected (F,H,W,D)");
}

constexpr std::int64_t most_channels = 65536;  // as decode_labels has it

class NiftiMasks final : public WholeMaskReader {
 public:
  NiftiMasks(NiftiStream stream, ChannelAxis axis, ChannelShape shape)
      : stream_(std::move(stream)), axis_(axis) {
    const NiftiHeader& header = stream_.header();
    const bool has_channels = axis == ChannelAxis::first;
    head_ = {.arrangement = has_channels ? MaskArrangement::findings : MaskArrangement::labels,
             .shape = shape,
             .masks = {},
             .rank = header.rank(),
             .dim = {header.dim[1], header.dim[2], header.dim[3], header.dim[4]},
             .shape_text = header.shape_text(),
             .type = header.type,
             .affine = header.affine,
             .claims_place = header.claims_place()};
    for (std::int64_t i = 0; i < shape.channels && i < most_channels; ++i)
      head_.masks.push_back({.name = {}, .id = static_cast<std::uint32_t>(i), .code = {}});
  }

  const MaskHead& head() const override { return head_; }
  Result<LabelStack> read_all() override { return decode_labels(stream_, axis_); }

 private:
  NiftiStream stream_;
  ChannelAxis axis_;
  MaskHead head_;
};

bool begins_as_nifti(ByteView first) {
  const bool is_gzip = first.size() > 1 && first[0] == std::byte{0x1f} && first[1] == std::byte{0x8b};
  return is_gzip || (first.size() >= 8 && nifti_header_size(first.first(8)).ok());
}

Result<std::unique_ptr<MaskReader>> open_nifti_masks(MaskSource source) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(std::move(source.file.bytes), source.file.size));
  FIDUCIAL_TRY(const ChannelAxis axis, axis_of(stream.header()));
  FIDUCIAL_TRY(const ChannelShape shape, channel_shape(stream.header(), axis));
  return {std::make_unique<NiftiMasks>(std::move(stream), axis, shape)};
}

}  // namespace

MaskFormat nifti_mask_format() {
  return {.id = "nifti",
          .title = "NIfTI",
          .endings = {".nii.gz", ".nii"},
          .begins = begins_as_nifti,
          .open = open_nifti_masks};
}

}  // namespace fiducial
