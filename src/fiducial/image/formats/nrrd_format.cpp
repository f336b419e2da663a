#include <utility>

#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/image/detached_file.h"
#include "fiducial/image/formats/nrrd_header.h"
#include "fiducial/image/formats/nrrd_segments.h"
#include "fiducial/image/formats/skipped_bytes.h"
#include "fiducial/image/formats/world_space.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

namespace {

// How many bytes stand before the voxels: those the header says, or all but those of the voxels.
Result<std::uint64_t> bytes_before(const NrrdHeader& header, std::uint64_t stored) {
  const std::int64_t said = header.storage.skipped_bytes;
  if (said >= 0) return static_cast<std::uint64_t>(said);
  const auto needed = static_cast<std::uint64_t>(header.image.voxel_bytes());
  if (needed <= stored) return stored - needed;
  return invalid_data("the file ends " + decimal(needed - stored) + " bytes before " +
                      header.image.shape_text() + " voxels fit behind its header");
}

Result<OpenedVolume> open_nrrd(VolumeSource source) {
  HeaderLines lines(std::move(source.bytes));
  FIDUCIAL_TRY(NrrdHeader header, read_nrrd_header(lines));
  OpenedVolume out;
  out.stored_bytes = source.stored_bytes - std::min(source.stored_bytes, lines.taken_bytes());
  out.voxels = std::move(lines).rest();
  if (header.storage.detached) {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> voxels, open_detached(source.file, *header.storage.detached));
    out.stored_bytes = voxels->size();
    out.voxels = std::move(voxels);
  }
  FIDUCIAL_TRY(const std::uint64_t before, bytes_before(header, out.stored_bytes));
  out.compressed = header.storage.compressed;
  if (out.compressed) {
    out.voxels = std::make_unique<InflateStream>(std::move(out.voxels), DeflateWrapper::gzip);
  }
  out.header = std::move(header.image);
  out.header.voxel_offset = before;
  FIDUCIAL_TRY_DONE(check_volume_promise(out));
  FIDUCIAL_TRY_DONE(skip_bytes(*out.voxels, before));
  out.segments = std::move(header.segments);
  out.channels = header.channels;
  return out;
}

std::string_view type_name(VoxelType type) {
  switch (type) {
    case VoxelType::int8:
      return "signed char";
    case VoxelType::uint8:
      return "unsigned char";
    case VoxelType::int16:
      return "short";
    case VoxelType::uint16:
      return "unsigned short";
    case VoxelType::int32:
      return "int";
    case VoxelType::uint32:
      return "unsigned int";
    case VoxelType::int64:
      return "long long int";
    case VoxelType::uint64:
      return "unsigned long long int";
    case VoxelType::float32:
      return "float";
    case VoxelType::float64:
      return "double";
    default:
      return "";
  }
}

std::string vector_text(double x, double y, double z) {
  return "(" + shortest(x) + "," + shortest(y) + "," + shortest(z) + ")";
}

// In Slicer's world, which is LPS.
std::string place_text(const NiftiHeader& header, ChannelAxis channels) {
  const auto& m = header.affine.m;
  std::string directions;
  std::string spacings;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    append_joined(directions, vector_text(0.0 - m[0][axis], 0.0 - m[1][axis], m[2][axis]), " ");
    append_joined(spacings, shortest(header.affine.spacing_mm()[axis]), " ");
  }
  if (channels == ChannelAxis::first) directions = "none " + directions, spacings = "nan " + spacings;
  if (channels == ChannelAxis::last) directions += " none", spacings += " nan";
  if (header.sform_code <= 0 && header.qform_code <= 0) return "spacings: " + spacings + "\n";
  return "space: left-posterior-superior\nspace directions: " + directions +
         "\nspace origin: " + vector_text(0.0 - m[0][3], 0.0 - m[1][3], m[2][3]) + "\n";
}

std::string kinds_text(ChannelAxis channels) {
  if (channels == ChannelAxis::first) return "list domain domain domain";
  return channels == ChannelAxis::last ? "domain domain domain list" : "domain domain domain";
}

Outcome write_nrrd(const Path& path, const VolumeContent& content) {
  FIDUCIAL_TRY(const Bytes bytes, nrrd_bytes(content));
  return write_file(path, bytes);
}

}  // namespace

Result<Bytes> nrrd_bytes(const VolumeContent& content) {
  const NiftiHeader& header = content.image.header();
  FIDUCIAL_TRY_DONE(check_plain_axes(content));
  const std::string_view type = type_name(header.type);
  if (type.empty()) {
    return bad_usage("voxels of type " + std::string(to_string(header.type)) + " have no NRRD type");
  }
  std::string sizes;
  for (int axis = 1; axis <= header.rank(); ++axis) {
    append_joined(sizes, decimal(header.dim[static_cast<std::size_t>(axis)]), " ");
  }
  const Extent extent = content.channels == ChannelAxis::first
                            ? Extent{header.dim[2], header.dim[3], header.dim[4]}
                            : header.extent();
  const std::string front = "NRRD0005\ntype: " + std::string(type) +
                            "\ndimension: " + decimal(header.rank()) + "\nsizes: " + sizes + "\n" +
                            place_text(header, content.channels) + "kinds: " + kinds_text(content.channels) +
                            "\nendian: little\nencoding: gzip\n" + slicer_keys(content.segments, extent) +
                            "\n";
  Bytes out(as_bytes(front).begin(), as_bytes(front).end());
  const Bytes voxels = gzip_compressed(content.image.bytes(), content.level);
  out.insert(out.end(), voxels.begin(), voxels.end());
  return out;
}

VolumeFormat nrrd_volume_format() {
  return {.id = "nrrd",
          .title = "NRRD, as 3D Slicer writes it",
          .endings = {".nrrd", ".seg.nrrd"},
          .header_endings = {".nhdr"},
          .begins = [](std::string_view first) { return first.starts_with("NRRD000"); },
          .open = open_nrrd,
          .write = write_nrrd};
}

}  // namespace fiducial
