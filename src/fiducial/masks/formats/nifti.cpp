#include <algorithm>
#include <optional>

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/masks/volume_masks.h"

namespace fiducial {

MaskFormat nifti_mask_format();

namespace {

bool begins_as_nifti(ByteView first) {
  const bool is_gzip = first.size() > 1 && first[0] == std::byte{0x1f} && first[1] == std::byte{0x8b};
  return is_gzip || (first.size() >= 8 && nifti_header_size(first.first(8)).ok());
}

constexpr int aligned_code = 2;
constexpr int gzip_level = 6;

VoxelType narrowest_type(std::int32_t greatest) {
  return greatest <= 255 ? VoxelType::uint8 : greatest <= 65535 ? VoxelType::uint16 : VoxelType::int32;
}

// An image with room for that many channels.
NiftiImage blank_image(const MaskCollection& masks, std::int64_t channels, VoxelType type) {
  const Extent& extent = masks.grid.extent;
  NiftiHeader header;
  header.dim = {3, extent.x, extent.y, extent.z, 1, 1, 1, 1};
  if (masks.arrangement == MaskArrangement::findings)
    header.dim = {4, channels, extent.x, extent.y, extent.z, 1, 1, 1};
  header.type = type;
  // An array without a place keeps what its header had: the identity as a form, or no form.
  const bool has_form = masks.claims_place || masks.grid.affine.is_identity();
  header.set_affine(masks.grid.affine, has_form ? aligned_code : 0);
  if (header.rank() == 4) header.pixdim[4] = 1;
  return NiftiImage::make(std::move(header));
}

// Puts labels where nothing is yet; whether nothing was.
template <typename T>
bool put_labels(const LabelMap& labels, std::optional<std::int32_t> instead, std::size_t first,
                std::size_t step, std::span<std::byte> bytes) {
  const auto side = static_cast<std::size_t>(labels.extent().x);
  bool was_free = true;
  for (const LabelRun& run : labels.runs()) {
    const T value = static_cast<T>(instead.value_or(run.label));
    const std::size_t row = static_cast<std::size_t>(run.row) * side;
    for (auto x = static_cast<std::size_t>(run.begin); x < static_cast<std::size_t>(run.end); ++x) {
      const std::size_t at = (first + step * (row + x)) * sizeof(T);
      was_free = was_free && load<T>(bytes, at) == 0;
      store(bytes, at, value);
    }
  }
  return was_free;
}

using LabelPutter = bool (*)(const LabelMap& labels, std::optional<std::int32_t> instead, std::size_t first,
                             std::size_t step, std::span<std::byte> bytes);
LabelPutter putter_of(VoxelType type) {
  return type == VoxelType::uint8    ? put_labels<std::uint8_t>
         : type == VoxelType::uint16 ? put_labels<std::uint16_t>
                                     : put_labels<std::int32_t>;
}

Bytes nifti_file_bytes(const NiftiImage& image, std::string_view name) {
  Bytes out = nifti_header_bytes(image.header());
  out.insert(out.end(), image.bytes().begin(), image.bytes().end());
  return name.ends_with(".gz") ? gzip_compressed(out, gzip_level) : out;
}

// Structures as one array of their numbers.
Result<NiftiImage> label_map_image(const MaskCollection& masks) {
  std::int32_t greatest = 0;
  for (const MaskCollection::Member& member : masks.masks) {
    if (member.about.id == 0 || member.about.id > INT32_MAX)
      return bad_usage("\"" + member.about.name + "\" has the number " + decimal(member.about.id) +
                       ", which is no label; write a file that keeps names (.fmask), or --stack");
    greatest = std::max(greatest, static_cast<std::int32_t>(member.about.id));
  }
  NiftiImage out = blank_image(masks, 1, narrowest_type(greatest));
  for (const MaskCollection::Member& member : masks.masks) {
    const auto label = static_cast<std::int32_t>(member.about.id);
    if (!putter_of(out.header().type)(member.labels, label, 0, 1, out.bytes()))
      return bad_usage("\"" + member.about.name +
                       "\" shares voxels with masks before it, which a label map cannot hold; write a file "
                       "that keeps masks apart (.fmask), a folder, or --stack");
  }
  return out;
}

Result<Bytes> encode_nifti_masks(const MaskCollection& masks, std::string_view file_name) {
  if (masks.arrangement == MaskArrangement::structures) {
    FIDUCIAL_TRY(const NiftiImage image, label_map_image(masks));
    return nifti_file_bytes(image, file_name);
  }
  if (masks.masks.empty()) return bad_usage("a NIfTI file of masks needs at least one");
  std::int32_t greatest = 0;
  for (const MaskCollection::Member& member : masks.masks) {
    for (const LabelRun& run : member.labels.runs()) greatest = std::max(greatest, run.label);
  }
  const std::size_t channels = masks.masks.size();
  NiftiImage out = blank_image(masks, static_cast<std::int64_t>(channels), narrowest_type(greatest));
  for (std::size_t i = 0; i < channels; ++i)
    putter_of(out.header().type)(masks.masks[i].labels, std::nullopt, i, channels, out.bytes());
  return nifti_file_bytes(out, file_name);
}

}  // namespace

MaskFormat nifti_mask_format() {
  return {.id = "nifti",
          .title = "NIfTI",
          .endings = {".nii.gz", ".nii"},
          .begins = begins_as_nifti,
          .open = open_volume_masks,
          .encode = encode_nifti_masks,
          .keeps_names = false};
}

}  // namespace fiducial
