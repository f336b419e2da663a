#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/image/channel_axis.h"
#include "fiducial/image/nifti_header.h"
#include "fiducial/image/segment_entry.h"

namespace fiducial {

struct OpenedVolume;

// An image file opened at its first voxel: NIfTI, or another format that is described as if it were
// (volume_format.h). Voxels are in the file's own type and byte order.
//
// Before anything is allocated the header's promise is held against the size of the file: plain files must
// be long enough, gzip files cannot hold more than DEFLATE's greatest ratio allows.
class NiftiStream {
 public:
  static Result<NiftiStream> open(const Path& path);
  // From any bytes, compressed or not; stored_bytes is their number before inflation.
  static Result<NiftiStream> open(std::unique_ptr<ByteStream> bytes, std::uint64_t stored_bytes);
  // From the bytes of a file; voxels that lie beside its header are found.
  static Result<NiftiStream> open(std::unique_ptr<ByteStream> bytes, std::uint64_t stored_bytes,
                                  const Path& file);

  const NiftiHeader& header() const { return header_; }
  // What the file says its labels are; empty where it says nothing.
  const std::vector<SegmentEntry>& segments() const { return segments_; }
  // Where its channels are, in formats that say so; NIfTI does not.
  std::optional<ChannelAxis> channels() const { return channels_; }
  // Fills out with the next voxel bytes; fewer than asked is an error that says how many are missing.
  Outcome read_voxels(std::span<std::byte> out);
  // Passes over the next voxel bytes. Of a file that was opened by its path, and is plain or has an index
  // beside it (image/gzip_index.h), they are not read; an index that does not fit the file is noted and not
  // used. What was passed over so is not verified.
  Outcome skip_voxels(std::int64_t count);
  // Call after the last voxel: verifies the checksum and notes or refuses what follows the voxels.
  Outcome finish();

 private:
  explicit NiftiStream(OpenedVolume volume);

  Outcome jump(std::uint64_t count);

  NiftiHeader header_;
  std::vector<SegmentEntry> segments_;
  std::optional<ChannelAxis> channels_;
  std::unique_ptr<ByteStream> bytes_;
  std::uint64_t voxel_bytes_read_ = 0;
  std::optional<Path> path_;  // where the voxels can be read anywhere
};

// The voxels of a whole image, in the type of the header and this machine's byte order. Move-only.
class NiftiImage {
 public:
  NiftiImage(NiftiHeader header, std::unique_ptr<std::byte[]> voxels)
      : header_(std::move(header)), voxels_(std::move(voxels)) {}
  static NiftiImage make(NiftiHeader header);  // zero voxels

  const NiftiHeader& header() const { return header_; }
  NiftiHeader& header() { return header_; }
  ByteView bytes() const { return {voxels_.get(), static_cast<std::size_t>(header_.voxel_bytes())}; }
  std::span<std::byte> bytes() { return {voxels_.get(), static_cast<std::size_t>(header_.voxel_bytes())}; }

 private:
  NiftiHeader header_;
  std::unique_ptr<std::byte[]> voxels_;
};

// Larger images are refused by read_nifti, which holds them in memory.
inline constexpr std::int64_t max_image_bytes = std::int64_t{16} << 30;

// In any of the formats that NiftiStream opens.
Result<NiftiImage> read_nifti(const Path& path);
Result<NiftiImage> read_nifti(NiftiStream stream);

// Writes a file by rename; gzip by the ending .gz. Free texts of the header, which may name a patient, are
// left empty, as are extensions and bytes that no field uses. Needs version 2 where a dimension exceeds
// 32,767.
Outcome write_nifti(const Path& path, const NiftiImage& image, int gzip_level = 6);

}  // namespace fiducial
