#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/image/detached_file.h"
#include "fiducial/image/formats/skipped_bytes.h"
#include "fiducial/image/formats/world_space.h"
#include "fiducial/image/header_lines.h"
#include "fiducial/image/nifti_affine.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

namespace {

constexpr std::int64_t longest_meta_axis = std::int64_t{1} << 31;
constexpr std::int64_t most_meta_bytes = std::int64_t{1} << 46;
constexpr std::string_view behind_the_header = "LOCAL";

struct MetaType {
  std::string_view name;
  VoxelType type;
};
// The first name of a type is written; MET_LONG has 4 bytes in files, whatever machine wrote them.
constexpr std::array<MetaType, 12> meta_types{{{"MET_UCHAR", VoxelType::uint8},
                                               {"MET_CHAR", VoxelType::int8},
                                               {"MET_USHORT", VoxelType::uint16},
                                               {"MET_SHORT", VoxelType::int16},
                                               {"MET_UINT", VoxelType::uint32},
                                               {"MET_INT", VoxelType::int32},
                                               {"MET_ULONG_LONG", VoxelType::uint64},
                                               {"MET_LONG_LONG", VoxelType::int64},
                                               {"MET_FLOAT", VoxelType::float32},
                                               {"MET_DOUBLE", VoxelType::float64},
                                               {"MET_ULONG", VoxelType::uint32},
                                               {"MET_LONG", VoxelType::int32}}};

// "Name = value" lines; the one that says where the voxels are is the last.
class MetaFields {
 public:
  static Result<MetaFields> read(HeaderLines& lines) {
    MetaFields out;
    for (;;) {
      FIDUCIAL_TRY(const auto line, lines.next());
      if (!line) return lines.at_line("the header ends without \"ElementDataFile\"");
      if (is_blank(*line)) continue;
      const std::size_t equals = line->find('=');
      if (equals == std::string::npos) return lines.at_line("expected \"Name = value\"");
      const std::string name(trimmed(std::string_view(*line).substr(0, equals)));
      const std::string value(trimmed(std::string_view(*line).substr(equals + 1)));
      const bool added = out.fields_.try_emplace(name, Field{value, lines.line()}).second;
      if (!added) return lines.at_line("\"" + printable(name) + "\" stands twice");
      if (name == "ElementDataFile") return out;
    }
  }

  std::string_view text(const std::string& name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::string_view() : std::string_view(found->second.text);
  }
  // The first of several names of one field that is given.
  std::string_view first_of(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      if (fields_.contains(name)) return text(name);
    }
    return {};
  }
  bool is_true(const std::string& name) const {
    const std::string_view value = text(name);
    return !value.empty() && (value[0] == 'T' || value[0] == 't' || value[0] == '1');
  }
  Error at(const std::string& name, std::string message) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) return invalid_data("no field \"" + name + "\"");
    return {ErrorCode::invalid_data, std::move(message), Place{.line = found->second.line}};
  }
  // Numbers apart by blanks, exactly as many as wanted.
  Result<std::vector<double>> numbers(const std::string& name, std::string_view text,
                                      std::size_t wanted) const {
    std::vector<double> out;
    for (std::string_view rest = trimmed(text); !rest.empty();) {
      const std::size_t end = std::min(rest.size(), rest.find_first_of(ascii_blanks));
      const auto number = parse_double(rest.substr(0, end));
      if (!number || !std::isfinite(*number)) {
        return at(name, "\"" + printable(text) + "\": expected numbers");
      }
      out.push_back(*number);
      rest = trimmed(rest.substr(end));
    }
    if (out.size() == wanted) return out;
    return at(name, decimal(out.size()) + " numbers; expected " + decimal(wanted));
  }

 private:
  struct Field {
    std::string text;
    std::uint64_t line = 0;
  };
  std::map<std::string, Field> fields_;
};

Result<VoxelType> meta_type_of(const MetaFields& fields) {
  std::string_view name = fields.text("ElementType");
  if (name.ends_with("_ARRAY")) name.remove_suffix(6);
  for (const MetaType& known : meta_types) {
    if (known.name == name) return known.type;
  }
  return fields.at("ElementType", "voxels of type \"" + printable(name) + "\"; expected one number a voxel");
}

Outcome add_meta_axis(const MetaFields& fields, std::string_view text, NiftiHeader& header) {
  const auto size = parse_integer(text);
  if (!size || *size < 1) {
    return fields.at("DimSize", "size \"" + printable(text) + "\"; expected a whole number of at least 1");
  }
  if (*size >= longest_meta_axis || header.voxel_bytes() > most_meta_bytes / *size) {
    return fields.at("DimSize", "size " + decimal(*size) + ": the image would be too large");
  }
  header.dim[static_cast<std::size_t>(++header.dim[0])] = *size;
  return done();
}

// Several values a voxel are an axis before the others.
Outcome read_meta_sizes(const MetaFields& fields, NiftiHeader& header) {
  const auto rank = parse_integer(fields.text("NDims"));
  if (!rank || *rank < 2 || *rank > 4) return fields.at("NDims", "expected 3 axes, or 4 with channels");
  const auto channels = fields.text("ElementNumberOfChannels").empty()
                            ? std::optional<std::int64_t>(1)
                            : parse_integer(fields.text("ElementNumberOfChannels"));
  if (!channels || *channels < 1 || (*channels > 1 && *rank > 3)) {
    return fields.at("ElementNumberOfChannels", "expected a number of channels, for at most three axes");
  }
  header.dim.fill(1);
  header.dim[0] = 0;
  if (*channels > 1) FIDUCIAL_TRY_DONE(add_meta_axis(fields, decimal(*channels), header));
  std::string_view rest = trimmed(fields.text("DimSize"));
  for (std::int64_t axis = 0; axis < *rank; ++axis) {
    const std::size_t end = std::min(rest.size(), rest.find_first_of(ascii_blanks));
    FIDUCIAL_TRY_DONE(add_meta_axis(fields, rest.substr(0, end), header));
    rest = trimmed(rest.substr(end));
  }
  if (!rest.empty()) return fields.at("DimSize", "more sizes than axes");
  return done();
}

// Row i of the matrix is the direction of axis i, in ITK's world, which is LPS. What ITK leaves out is 1 and
// 0.
Outcome read_meta_place(const MetaFields& fields, NiftiHeader& header) {
  const auto rank = static_cast<std::size_t>(*parse_integer(fields.text("NDims")));
  const std::string_view matrix = fields.first_of({"TransformMatrix", "Rotation", "Orientation"});
  const std::string_view offset = fields.first_of({"Offset", "Position", "Origin"});
  const std::string_view spacing = fields.first_of({"ElementSpacing", "ElementSize"});
  std::array<Vec3, 3> steps{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 origin{};
  const std::size_t spatial = std::min<std::size_t>(rank, 3);
  if (!matrix.empty()) {
    FIDUCIAL_TRY(const auto numbers, fields.numbers("TransformMatrix", matrix, rank * rank));
    for (std::size_t axis = 0; axis < spatial; ++axis) {
      for (std::size_t row = 0; row < spatial; ++row) steps[axis][row] = numbers[axis * rank + row];
    }
  }
  if (!spacing.empty()) {
    FIDUCIAL_TRY(const auto numbers, fields.numbers("ElementSpacing", spacing, rank));
    for (std::size_t axis = 0; axis < spatial; ++axis) {
      for (double& part : steps[axis]) part *= std::abs(numbers[axis]);
    }
  }
  if (!offset.empty()) {
    FIDUCIAL_TRY(const auto numbers, fields.numbers("Offset", offset, rank));
    std::copy_n(numbers.begin(), spatial, origin.begin());
  }
  header.set_affine(affine_in_ras(steps, origin, lps_signs), 1);
  if (header.rank() == 4) header.pixdim[4] = 1;
  if (header.affine.determinant() == 0) {
    return fields.at("TransformMatrix", "the directions of the axes lie in one plane, or a spacing is 0");
  }
  if (!matrix.empty() || !offset.empty()) return done();
  header.sform_code = 0;  // a spacing alone is no place
  return choose_affine(header);
}

// Bytes between the header and the voxels; -1: these are the last of the file.
Result<std::uint64_t> meta_bytes_before(const MetaFields& fields, const OpenedVolume& volume) {
  const std::string_view text = fields.text("HeaderSize");
  const auto said = text.empty() ? std::optional<std::int64_t>(0) : parse_integer(text);
  if (!said || *said < -1) return fields.at("HeaderSize", "expected a number of bytes, or -1");
  if (*said >= 0) return static_cast<std::uint64_t>(*said);
  const auto needed = static_cast<std::uint64_t>(volume.header.voxel_bytes());
  if (volume.compressed) return fields.at("HeaderSize", "compressed voxels have no last byte to count from");
  if (needed <= volume.stored_bytes) return volume.stored_bytes - needed;
  return invalid_data("the file ends before " + volume.header.shape_text() + " voxels fit into it");
}

Result<OpenedVolume> open_meta_image(VolumeSource source) {
  HeaderLines lines(std::move(source.bytes));
  FIDUCIAL_TRY(const MetaFields fields, MetaFields::read(lines));
  OpenedVolume out;
  FIDUCIAL_TRY(out.header.type, meta_type_of(fields));
  FIDUCIAL_TRY_DONE(read_meta_sizes(fields, out.header));
  if (*std::max_element(out.header.dim.begin(), out.header.dim.end()) > 32767) out.header.version = 2;
  FIDUCIAL_TRY_DONE(read_meta_place(fields, out.header));
  const bool big = fields.is_true("BinaryDataByteOrderMSB") || fields.is_true("ElementByteOrderMSB");
  out.header.swapped = big == (std::endian::native == std::endian::little);
  if (!fields.text("BinaryData").empty() && !fields.is_true("BinaryData")) {
    return fields.at("BinaryData", "voxels written as text are not read");
  }
  const std::string name(fields.text("ElementDataFile"));
  out.stored_bytes = source.stored_bytes - std::min(source.stored_bytes, lines.taken_bytes());
  out.voxels = std::move(lines).rest();
  if (name.starts_with("LIST") || name.find('%') != std::string::npos) {
    return fields.at("ElementDataFile", "voxels in several files are not read");
  }
  if (name != behind_the_header && name != "Local" && name != "local") {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> voxels, open_detached(source.file, name));
    out.stored_bytes = voxels->size();
    out.voxels = std::move(voxels);
  }
  out.compressed = fields.is_true("CompressedData");
  const bool interleaved = out.header.rank() == 4 && fields.text("NDims") == "3";
  out.channels = interleaved              ? ChannelAxis::first
                 : out.header.rank() == 4 ? ChannelAxis::last
                                          : ChannelAxis::none;
  FIDUCIAL_TRY(const std::uint64_t before, meta_bytes_before(fields, out));
  out.header.voxel_offset = before;
  FIDUCIAL_TRY_DONE(check_volume_promise(out));
  FIDUCIAL_TRY_DONE(skip_bytes(*out.voxels, before));
  if (out.compressed) {
    out.voxels = std::make_unique<InflateStream>(std::move(out.voxels), DeflateWrapper::zlib);
  }
  return out;
}

std::string meta_place_text(const NiftiHeader& header, bool four) {
  const auto& m = header.affine.m;
  const Vec3 spacing = header.affine.spacing_mm();
  std::string matrix;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double length = spacing[axis] > 0 ? spacing[axis] : 1;
    for (std::size_t row = 0; row < 3; ++row) {
      append_joined(matrix, shortest((row < 2 ? 0.0 - m[row][axis] : m[row][axis]) / length), " ");
    }
    if (four) matrix += " 0";
  }
  if (four) matrix += " 0 0 0 1";
  const std::string last = four ? " 0" : "";
  std::string out;
  if (header.sform_code > 0 || header.qform_code > 0) {
    out += "TransformMatrix = " + matrix + "\nOffset = " + shortest(0.0 - m[0][3]) + " " +
           shortest(0.0 - m[1][3]) + " " + shortest(m[2][3]) + last + "\n";
  }
  return out + "ElementSpacing = " + shortest(spacing[0]) + " " + shortest(spacing[1]) + " " +
         shortest(spacing[2]) + (four ? " 1" : "") + "\n";
}

Outcome write_meta_image(const Path& path, const VolumeContent& content) {
  const NiftiHeader& header = content.image.header();
  FIDUCIAL_TRY_DONE(check_plain_axes(content));
  const auto type = std::find_if(meta_types.begin(), meta_types.end(),
                                 [&](const MetaType& known) { return known.type == header.type; });
  if (type == meta_types.end()) {
    return bad_usage("voxels of type " + std::string(to_string(header.type)) + " have no MetaImage type");
  }
  const bool first = content.channels == ChannelAxis::first;
  std::string sizes;
  for (int axis = first ? 2 : 1; axis <= header.rank(); ++axis) {
    append_joined(sizes, decimal(header.dim[static_cast<std::size_t>(axis)]), " ");
  }
  const bool four = content.channels == ChannelAxis::last;
  const Bytes voxels = zlib_compressed(content.image.bytes(), content.level);
  const std::string front = "ObjectType = Image\nNDims = " + std::string(four ? "4" : "3") +
                            "\nBinaryData = True\nBinaryDataByteOrderMSB = False\nCompressedData = True\n"
                            "CompressedDataSize = " +
                            decimal(voxels.size()) + "\n" + meta_place_text(header, four) +
                            "DimSize = " + sizes + "\n" +
                            (first ? "ElementNumberOfChannels = " + decimal(header.dim[1]) + "\n" : "") +
                            "ElementType = " + std::string(type->name) + "\nElementDataFile = LOCAL\n";
  Bytes out(as_bytes(front).begin(), as_bytes(front).end());
  out.insert(out.end(), voxels.begin(), voxels.end());
  return write_file(path, out);
}

}  // namespace

VolumeFormat meta_image_volume_format() {
  return {.id = "mha",
          .title = "MetaImage, as ITK writes it",
          .endings = {".mha"},
          .header_endings = {".mhd"},
          .begins =
              [](std::string_view first) {
                return first.starts_with("ObjectType") || first.starts_with("NDims") ||
                       first.starts_with("Comment =");
              },
          .open = open_meta_image,
          .write = write_meta_image};
}

}  // namespace fiducial
