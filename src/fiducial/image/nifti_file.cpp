#include "fiducial/image/nifti_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/gzip_index.h"
#include "fiducial/image/nifti_prologue.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

namespace {

constexpr std::uint64_t tolerated_trailing_bytes = std::uint64_t{1} << 20;
constexpr std::uint64_t worth_a_jump = std::uint64_t{4} << 20;  // what is inflated for one voxel of an index

void swap_in_place(std::span<std::byte> bytes, std::int64_t width) {
  const auto step = static_cast<std::ptrdiff_t>(width);
  for (auto at = bytes.begin(); at != bytes.end(); at += step) std::reverse(at, at + step);
}

}  // namespace

Outcome check_volume_promise(const OpenedVolume& volume) {
  const NiftiHeader& header = volume.header;
  const std::uint64_t promised = header.voxel_offset + static_cast<std::uint64_t>(header.voxel_bytes());
  const std::uint64_t stored = volume.stored_bytes;
  const std::uint64_t possible = volume.compressed ? stored * max_deflate_ratio : stored;
  if (promised <= possible) return done();
  return invalid_data("header promises " + decimal(promised) + " bytes (" + header.shape_text() + " " +
                      std::string(to_string(header.type)) + "), but the file of " + decimal(stored) +
                      " bytes holds at most " + decimal(possible));
}

namespace {

Result<OpenedVolume> opened_volume(VolumeSource source) {
  Bytes start(format_probe_bytes);
  FIDUCIAL_TRY(const std::size_t got, source.bytes->read(start));
  start.resize(got);
  const VolumeFormat& format = format_beginning_with(as_text(start));
  source.bytes = std::make_unique<PrefixedStream>(std::move(start), std::move(source.bytes));
  FIDUCIAL_TRY(OpenedVolume volume, format.open(std::move(source)));
  FIDUCIAL_TRY_DONE(check_volume_promise(volume));
  return volume;
}

}  // namespace

NiftiStream::NiftiStream(OpenedVolume volume)
    : header_(std::move(volume.header)),
      segments_(std::move(volume.segments)),
      channels_(volume.channels),
      bytes_(std::move(volume.voxels)) {}

Result<NiftiStream> NiftiStream::open(const Path& path) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(path));
  const std::uint64_t size = file->size();
  FIDUCIAL_TRY(OpenedVolume volume, opened_volume({std::move(file), size, path}).in_file(path.string()));
  const bool is_plain = volume.is_plain;
  NiftiStream out(std::move(volume));
  if (is_plain) out.path_ = path;
  return out;
}

Result<NiftiStream> NiftiStream::open(std::unique_ptr<ByteStream> bytes, std::uint64_t stored_bytes) {
  FIDUCIAL_TRY(OpenedVolume volume, opened_volume({std::move(bytes), stored_bytes, std::nullopt}));
  return NiftiStream(std::move(volume));
}

Result<NiftiStream> NiftiStream::open(std::unique_ptr<ByteStream> bytes, std::uint64_t stored_bytes,
                                      const Path& file) {
  FIDUCIAL_TRY(OpenedVolume volume, opened_volume({std::move(bytes), stored_bytes, file}));
  return NiftiStream(std::move(volume));
}

Outcome NiftiStream::read_voxels(std::span<std::byte> out) {
  FIDUCIAL_TRY(const std::size_t got, bytes_->read(out));
  voxel_bytes_read_ += got;
  if (got == out.size()) return done();
  return invalid_data("voxel data end after " + decimal(voxel_bytes_read_) + " of " +
                      decimal(header_.voxel_bytes()) + " bytes promised by the header (" +
                      header_.shape_text() + " " + std::string(to_string(header_.type)) + ")");
}

// Goes on where the next voxels lie, if they can be read there.
Outcome NiftiStream::jump(std::uint64_t count) {
  const Path path = *std::exchange(path_, std::nullopt);
  FIDUCIAL_TRY(const bool is_gzip, is_gzip_file(path));
  std::shared_ptr<const ByteSource> source;
  if (is_gzip) {
    FIDUCIAL_TRY(source, open_indexed_gzip(path));
  } else {
    FIDUCIAL_TRY(source, FileSource::open(path));
  }
  if (source == nullptr) return done();
  const std::uint64_t next = header_.voxel_offset + voxel_bytes_read_ + count;
  const std::uint64_t end = header_.voxel_offset + static_cast<std::uint64_t>(header_.voxel_bytes());
  if (next > end || end > source->size())
    return Error(ErrorCode::integrity, "index: holds fewer voxels than the header promises");
  bytes_ = std::make_unique<SourceStream>(std::move(source), next);
  voxel_bytes_read_ += count;
  path_ = path;
  return done();
}

Outcome NiftiStream::skip_voxels(std::int64_t wanted) {
  auto count = static_cast<std::uint64_t>(wanted);
  if (count >= worth_a_jump && path_) {
    const std::uint64_t before = voxel_bytes_read_;
    const Outcome jumped = jump(count);
    if (!jumped.ok()) header_.notes.push_back({"index_not_used", jumped.error().text() + "; it is not used"});
    count -= voxel_bytes_read_ - before;
  }
  Bytes buffer(static_cast<std::size_t>(std::min<std::uint64_t>(count, 256 << 10)));
  while (count > 0) {
    const std::size_t piece = std::min<std::uint64_t>(count, buffer.size());
    FIDUCIAL_TRY_DONE(read_voxels(std::span(buffer).first(piece)));
    count -= piece;
  }
  return done();
}

Outcome NiftiStream::finish() {
  Bytes buffer(std::size_t{64} << 10);
  std::uint64_t trailing = 0;
  for (;;) {
    FIDUCIAL_TRY(const std::size_t got, bytes_->read(buffer));
    trailing += got;
    if (got < buffer.size()) break;
    if (trailing > tolerated_trailing_bytes) {
      return invalid_data("data continue for more than " + decimal(tolerated_trailing_bytes) +
                          " bytes after the " + decimal(header_.voxel_bytes()) +
                          " voxel bytes promised by the header (" + header_.shape_text() + " " +
                          std::string(to_string(header_.type)) + ")");
    }
  }
  if (trailing > 0) {
    header_.notes.push_back(
        {"trailing_bytes", decimal(trailing) + " bytes after the last voxel are ignored"});
  }
  return done();
}

NiftiImage NiftiImage::make(NiftiHeader header) {
  auto voxels = std::make_unique<std::byte[]>(static_cast<std::size_t>(header.voxel_bytes()));
  return {std::move(header), std::move(voxels)};
}

Result<NiftiImage> read_nifti(const Path& path) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(path));
  return read_nifti(std::move(stream)).in_file(path.string());
}

Result<NiftiImage> read_nifti(NiftiStream stream) {
  const std::int64_t size = stream.header().voxel_bytes();
  if (size > max_image_bytes) {
    return invalid_data("image of " + decimal(size) + " bytes (" + stream.header().shape_text() +
                        ") is larger than the " + decimal(max_image_bytes) + " bytes held in memory");
  }
  auto voxels = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(size));
  const std::span<std::byte> bytes(voxels.get(), static_cast<std::size_t>(size));
  FIDUCIAL_TRY_DONE(stream.read_voxels(bytes));
  FIDUCIAL_TRY_DONE(stream.finish());
  NiftiHeader header = stream.header();
  const std::int64_t width = scalar_bytes(header.type);
  if (header.swapped && width > 1) swap_in_place(bytes, width);
  header.swapped = false;
  return NiftiImage(std::move(header), std::move(voxels));
}

Outcome write_nifti(const Path& path, const NiftiImage& image, int gzip_level) {
  const NiftiHeader& header = image.header();
  if (header.version == 1 && *std::max_element(header.dim.begin(), header.dim.end()) > 32767) {
    return Error(ErrorCode::invalid_data, "a dimension of " + header.shape_text() + " does not fit NIfTI-1",
                 Place{.path = path.string()});
  }
  NiftiHeader told = header;
  told.description.clear();
  told.intent_name.clear();
  Bytes out = nifti_header_bytes(told);
  const ByteView voxels = image.bytes();
  out.insert(out.end(), voxels.begin(), voxels.end());
  if (path.extension() == ".gz") out = gzip_compressed(out, gzip_level);
  return write_file(path, out);
}

}  // namespace fiducial
