#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"
#include "fiducial/image/channel_axis.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/image/segment_entry.h"

namespace fiducial {

// The stored bytes of an image.
struct VolumeSource {
  std::unique_ptr<ByteStream> bytes;
  std::uint64_t stored_bytes = 0;
  std::optional<Path> file;  // where it is a file of its own; voxels that lie beside a header are then found
};

// An image at its first voxel, described as NIfTI would.
struct OpenedVolume {
  NiftiHeader header;
  std::unique_ptr<ByteStream> voxels;
  std::uint64_t stored_bytes = 0;  // of the voxels, before inflation
  bool compressed = false;
  std::vector<SegmentEntry> segments;   // what the file says its labels are
  std::optional<ChannelAxis> channels;  // where they are, where the file says so
  bool is_plain = false;                // the voxels lie in the file, inflated, from header.voxel_offset on
};

// Holds what the header promises against the stored bytes, before anything is allocated.
Outcome check_volume_promise(const OpenedVolume& volume);

// What is written.
struct VolumeContent {
  const NiftiImage& image;  // voxels unscaled
  ChannelAxis channels = ChannelAxis::none;
  std::span<const SegmentEntry> segments;
  int level = 6;  // of compression
};

// A way of keeping an image in a file.
struct VolumeFormat {
  std::string_view id;  // "nrrd"
  std::string_view title;
  std::vector<std::string_view> endings;         // of names that are read and written
  std::vector<std::string_view> header_endings;  // of headers whose voxels lie beside them; read only
  bool scales = false;                           // whether it has a place for slope and intercept
  bool (*begins)(std::string_view first_bytes) = nullptr;
  Result<OpenedVolume> (*open)(VolumeSource source) = nullptr;
  Outcome (*write)(const Path& path, const VolumeContent& content) = nullptr;
};

const std::vector<VolumeFormat>& all_volume_formats();
// By the ending of a name that is to be written; or nullptr.
const VolumeFormat* find_volume_format(std::string_view name);
// The name without the ending of a volume file, the longest that fits; as it is where it has none.
std::string_view without_volume_ending(std::string_view name);
// ".nii.gz, .nii, .nrrd, ...": what is written, for messages.
std::string written_endings_text();

inline constexpr std::size_t format_probe_bytes = 16;

// The format whose first bytes these are; NIfTI where it is no other.
const VolumeFormat& format_beginning_with(std::string_view first_bytes);

// Writes an image in the format that the path's ending names, by rename. Values are scaled first where the
// format has no place for slope and intercept. Refuses endings of none, four axes of which nobody says which
// one are the channels, and voxels that are no real numbers outside NIfTI.
struct VolumeWrite {
  ChannelAxis channels = ChannelAxis::none;
  std::vector<SegmentEntry> segments;
};
Outcome write_volume(const Path& path, NiftiImage image, const VolumeWrite& how = {});

}  // namespace fiducial
