#include "fiducial/image/formats/nrrd_header.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/printable.h"
#include "fiducial/image/formats/world_space.h"
#include "fiducial/image/nifti_affine.h"

namespace fiducial {

namespace {

constexpr std::int64_t longest_axis = std::int64_t{1} << 31;
constexpr std::int64_t most_voxel_bytes = std::int64_t{1} << 46;

struct TypeName {
  std::string_view name;
  VoxelType type;
};
constexpr std::array<TypeName, 40> type_names{{
    {"signed char", VoxelType::int8},
    {"int8", VoxelType::int8},
    {"int8_t", VoxelType::int8},
    {"uchar", VoxelType::uint8},
    {"unsigned char", VoxelType::uint8},
    {"uint8", VoxelType::uint8},
    {"uint8_t", VoxelType::uint8},
    {"short", VoxelType::int16},
    {"short int", VoxelType::int16},
    {"signed short", VoxelType::int16},
    {"signed short int", VoxelType::int16},
    {"int16", VoxelType::int16},
    {"int16_t", VoxelType::int16},
    {"ushort", VoxelType::uint16},
    {"unsigned short", VoxelType::uint16},
    {"unsigned short int", VoxelType::uint16},
    {"uint16", VoxelType::uint16},
    {"uint16_t", VoxelType::uint16},
    {"int", VoxelType::int32},
    {"signed int", VoxelType::int32},
    {"int32", VoxelType::int32},
    {"int32_t", VoxelType::int32},
    {"uint", VoxelType::uint32},
    {"unsigned int", VoxelType::uint32},
    {"uint32", VoxelType::uint32},
    {"uint32_t", VoxelType::uint32},
    {"longlong", VoxelType::int64},
    {"long long", VoxelType::int64},
    {"long long int", VoxelType::int64},
    {"signed long long", VoxelType::int64},
    {"signed long long int", VoxelType::int64},
    {"int64", VoxelType::int64},
    {"int64_t", VoxelType::int64},
    {"ulonglong", VoxelType::uint64},
    {"unsigned long long", VoxelType::uint64},
    {"unsigned long long int", VoxelType::uint64},
    {"uint64", VoxelType::uint64},
    {"uint64_t", VoxelType::uint64},
    {"float", VoxelType::float32},
    {"double", VoxelType::float64},
}};

struct SpaceName {
  std::string_view name;
  std::string_view letters;
  WorldSigns signs;
};
constexpr std::array<SpaceName, 3> spaces{{{"right-anterior-superior", "ras", {1, 1, 1}},
                                           {"left-anterior-superior", "las", {-1, 1, 1}},
                                           {"left-posterior-superior", "lps", lps_signs}}};

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Fields are told by their names without blanks: "data file" and "datafile" are one.
std::string field_name(std::string_view text) {
  std::string out = in_small_letters(text);
  std::erase_if(out, is_space);
  return out;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(ascii_blanks, at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.size(), text.find_first_of(ascii_blanks, begin));
    out.push_back(text.substr(begin, end - begin));
    at = end;
  }
  return out;
}

// What stood in the lines of the header.
class Fields {
 public:
  static Result<Fields> read(HeaderLines& lines) {
    Fields out;
    FIDUCIAL_TRY(const auto magic, lines.next());
    if (!magic || !magic->starts_with("NRRD000")) return lines.at_line("expected NRRD and a version");
    const char version = magic->size() == 8 ? magic->back() : '0';
    if (version < '1' || version > '6') return lines.at_line("NRRD of another version than 1 to 6");
    for (;;) {
      FIDUCIAL_TRY(const auto line, lines.next());
      if (!line || line->empty()) return out;
      if (line->starts_with('#')) continue;
      FIDUCIAL_TRY_DONE(out.add(*line, lines));
    }
  }

  // The value of a field, trimmed; empty where it is not given.
  std::string_view text(const std::string& name) const {
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::string_view() : std::string_view(found->second.text);
  }
  bool has(const std::string& name) const { return fields_.contains(name); }
  const std::map<std::string, std::string>& keys() const { return keys_; }

  // An error at the line of a field.
  Error at(const std::string& name, std::string message) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) return invalid_data(std::move(message));
    return {ErrorCode::invalid_data, std::move(message), Place{.line = found->second.line}};
  }

 private:
  struct Field {
    std::string text;
    std::uint64_t line = 0;
  };

  Outcome add(const std::string& line, const HeaderLines& lines) {
    const std::size_t key_end = line.find(":=");
    const std::size_t field_end = line.find(": ");
    if (key_end != std::string::npos && (field_end == std::string::npos || key_end < field_end)) {
      keys_.insert_or_assign(line.substr(0, key_end), line.substr(key_end + 2));
      return done();
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) return lines.at_line("expected \"field: value\" or \"key:=value\"");
    const std::string name = field_name(std::string_view(line).substr(0, colon));
    Field field{std::string(trimmed(std::string_view(line).substr(colon + 1))), lines.line()};
    const auto [other, added] = fields_.try_emplace(name, std::move(field));
    if (added) return done();
    return lines.at_line("the field \"" + printable(line.substr(0, colon)) +
                         "\" stands twice, first in line " + decimal(other->second.line));
  }

  std::map<std::string, Field> fields_;
  std::map<std::string, std::string> keys_;
};

// "(1,0,0) none (0,0.7,0)": a vector of three numbers or nothing for each.
Result<std::vector<std::optional<Vec3>>> vectors_of(const Fields& fields, const std::string& name) {
  std::vector<std::optional<Vec3>> out;
  std::string_view rest = fields.text(name);
  const auto wrong = [&] {
    return fields.at(name,
                     "\"" + printable(fields.text(name)) + "\": expected vectors of three numbers, (1,0,0)");
  };
  for (;;) {
    rest = trimmed(rest);
    if (rest.empty()) return out;
    if (rest.starts_with("none")) {
      out.emplace_back();
      rest.remove_prefix(4);
      continue;
    }
    const std::size_t end = rest.find(')');
    if (!rest.starts_with('(') || end == std::string_view::npos) return wrong();
    std::string_view inner = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    Vec3 vector{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t comma = inner.find(',');
      if ((comma == std::string_view::npos) != (i == 2)) return wrong();
      const auto number = parse_double(trimmed(inner.substr(0, comma)));
      if (!number || !std::isfinite(*number)) return wrong();
      vector[i] = *number;
      inner.remove_prefix(i == 2 ? 0 : comma + 1);
    }
    out.emplace_back(vector);
  }
}

Result<VoxelType> type_of(const Fields& fields) {
  const std::string name = in_small_letters(fields.text("type"));
  for (const auto& known : type_names) {
    if (known.name == name) return known.type;
  }
  if (name.empty()) return invalid_data("no field \"type\"");
  return fields.at("type", "voxels of type \"" + printable(name) + "\"; expected one number a voxel");
}

Outcome read_sizes(const Fields& fields, NiftiHeader& header) {
  const auto rank = parse_integer(fields.text("dimension"));
  if (!rank) return fields.at("dimension", "no field \"dimension\" with a whole number");
  if (*rank < 2 || *rank > 4) {
    return fields.at("dimension", decimal(*rank) + " axes; expected 3, or 4 with channels");
  }
  const auto words = words_of(fields.text("sizes"));
  if (words.size() != static_cast<std::size_t>(*rank)) {
    return fields.at("sizes", decimal(words.size()) + " sizes for " + decimal(*rank) + " axes");
  }
  header.dim.fill(1);
  header.dim[0] = *rank;
  std::int64_t bytes = size_bytes(header.type);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto size = parse_integer(words[i]);
    if (!size || *size < 1) {
      return fields.at("sizes",
                       "size \"" + printable(words[i]) + "\"; expected a whole number of at least 1");
    }
    if (*size >= longest_axis || bytes > most_voxel_bytes / *size) {
      return fields.at("sizes", "size " + decimal(*size) + ": the image would be too large");
    }
    header.dim[i + 1] = *size;
    bytes *= *size;
  }
  return done();
}

Outcome read_storage(const Fields& fields, NrrdHeader& out) {
  const std::string encoding = in_small_letters(fields.text("encoding"));
  out.storage.compressed = encoding == "gzip" || encoding == "gz";
  if (encoding != "raw" && !out.storage.compressed) {
    return fields.at("encoding",
                     "encoding \"" + printable(encoding) + "\" is not read; expected raw or gzip");
  }
  if (size_bytes(out.image.type) > 1) {
    const std::string order = in_small_letters(fields.text("endian"));
    if (order != "little" && order != "big") return fields.at("endian", "no field \"endian\": little or big");
    out.image.swapped = (order == "little") != (std::endian::native == std::endian::little);
  }
  if (fields.has("lineskip") && fields.text("lineskip") != "0") {
    return fields.at("lineskip", "lines that are skipped before the voxels are not read");
  }
  if (fields.has("byteskip")) {
    const auto skipped = parse_integer(fields.text("byteskip"));
    if (!skipped || *skipped < -1 || (*skipped == -1 && out.storage.compressed)) {
      return fields.at("byteskip", "expected a number of bytes, or -1 before raw voxels");
    }
    out.storage.skipped_bytes = *skipped;
  }
  if (fields.has("datafile")) {
    const std::string name(fields.text("datafile"));
    if (name.starts_with("LIST") || name.find('%') != std::string::npos) {
      return fields.at("datafile", "voxels in several files are not read");
    }
    out.storage.detached = name;
  }
  return done();
}

// Which axes are in space: all of three; of four those with a direction, else those whose kind says so.
Result<ChannelAxis> channel_axis_of(const Fields& fields, const NiftiHeader& header,
                                    const std::vector<std::optional<Vec3>>& directions) {
  std::vector<bool> in_space;
  in_space.reserve(directions.size());
  for (const auto& direction : directions) in_space.push_back(direction.has_value());
  if (directions.empty()) {
    for (const std::string_view kind : words_of(in_small_letters(fields.text("kinds")))) {
      in_space.push_back(kind == "domain" || kind == "space");
    }
  }
  const auto rank = static_cast<std::size_t>(header.rank());
  if (in_space.empty()) return rank == 4 ? ChannelAxis::last : ChannelAxis::none;
  if (in_space.size() != rank) {
    return fields.at(directions.empty() ? "kinds" : "spacedirections",
                     decimal(in_space.size()) + " entries for " + decimal(rank) + " axes");
  }
  const auto spatial = static_cast<std::size_t>(std::count(in_space.begin(), in_space.end(), true));
  if (spatial == rank && rank < 4) return ChannelAxis::none;
  if (rank == 4 && spatial == 3 && !in_space.front()) return ChannelAxis::first;
  if (rank == 4 && spatial == 3 && !in_space.back()) return ChannelAxis::last;
  return fields.at(
      directions.empty() ? "kinds" : "spacedirections",
      decimal(spatial) + " of " + decimal(rank) + " axes lie in space; expected three side by side");
}

Outcome read_spacings(const Fields& fields, ChannelAxis channels, NiftiHeader& header) {
  const auto words = words_of(fields.text("spacings"));
  header.pixdim = {1, 1, 1, 1, 1, 1, 1, 1};
  const std::size_t first = channels == ChannelAxis::first ? 1 : 0;
  for (std::size_t axis = 0; axis < 3 && first + axis < words.size(); ++axis) {
    const auto mm = parse_double(words[first + axis]);
    if (mm && std::isfinite(*mm) && *mm != 0) header.pixdim[axis + 1] = std::abs(*mm);
  }
  return choose_affine(header);
}

Outcome check_units(const Fields& fields) {
  for (std::string_view unit : words_of(fields.text("spaceunits"))) {
    unit = trimmed(unit, "\"");
    if (unit.empty() || unit == "mm" || unit == "none") continue;
    return fields.at("spaceunits", "places in \"" + printable(unit) + "\"; expected millimetres, \"mm\"");
  }
  return done();
}

const SpaceName* known_space(std::string_view name) {
  for (const SpaceName& space : spaces) {
    if (space.name == name || space.letters == name) return &space;
  }
  return nullptr;
}

Outcome read_place(const Fields& fields, NrrdHeader& out) {
  NiftiHeader& header = out.image;
  FIDUCIAL_TRY(const auto directions, vectors_of(fields, "spacedirections"));
  FIDUCIAL_TRY(out.channels, channel_axis_of(fields, header, directions));
  FIDUCIAL_TRY_DONE(check_units(fields));
  std::array<Vec3, 3> steps{};
  std::size_t found = 0;
  for (const auto& direction : directions) {
    if (direction && found < 3) steps[found++] = *direction;
  }
  if (found < 3) return read_spacings(fields, out.channels, header);
  FIDUCIAL_TRY(const auto origins, vectors_of(fields, "spaceorigin"));
  if (origins.size() > 1 || (!origins.empty() && !origins[0])) {
    return fields.at("spaceorigin", "expected one vector");
  }
  const std::string space = in_small_letters(fields.text("space"));
  const SpaceName* world = known_space(space);
  header.set_affine(affine_in_ras(steps, origins.empty() ? Vec3{} : *origins[0],
                                  world == nullptr ? lps_signs : world->signs),
                    1);
  if (header.rank() == 4) header.pixdim[4] = 1;
  if (header.affine.determinant() == 0) {
    return fields.at("spacedirections", "the directions of the axes lie in one plane");
  }
  if (world != nullptr) return done();
  header.sform_code = 0;
  FIDUCIAL_TRY_DONE(choose_affine(header));
  header.notes.back() = {"no_orientation", space.empty()
                                               ? "no space is named; the spacing is used, without a place"
                                               : "the space \"" + printable(space) +
                                                     "\" says nothing about the patient; the spacing is "
                                                     "used, without a place"};
  return done();
}

}  // namespace

Result<NrrdHeader> read_nrrd_header(HeaderLines& lines) {
  FIDUCIAL_TRY(const Fields fields, Fields::read(lines));
  NrrdHeader out;
  out.image.version = 1;
  out.image.voxel_offset = 0;
  FIDUCIAL_TRY(out.image.type, type_of(fields));
  FIDUCIAL_TRY_DONE(read_sizes(fields, out.image));
  if (*std::max_element(out.image.dim.begin(), out.image.dim.end()) > 32767) out.image.version = 2;
  FIDUCIAL_TRY_DONE(read_storage(fields, out));
  FIDUCIAL_TRY_DONE(read_place(fields, out));
  FIDUCIAL_TRY(out.segments, slicer_segments(fields.keys()));
  return out;
}

}  // namespace fiducial
