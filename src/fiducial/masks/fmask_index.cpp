#include "fiducial/masks/fmask_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "fiducial/archive/zip_name.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial::fmask {

namespace {

constexpr std::string_view schema = "fiducial.fmask/1";
constexpr std::uint64_t most_runs = std::uint64_t{8} << 20;  // of one mask

struct Arranged {
  MaskArrangement arrangement;
  std::string_view name;
};
constexpr Arranged arrangements[] = {{MaskArrangement::labels, "labels"},
                                     {MaskArrangement::findings, "findings"},
                                     {MaskArrangement::structures, "structures"}};

Json entry_json(const Entry& entry) {
  Json out = Json::object({{"name", entry.about.name}, {"id", std::int64_t{entry.about.id}}});
  if (entry.about.code) {
    const MaskCode& code = *entry.about.code;
    out.set("code",
            Json::object({{"scheme", code.scheme}, {"value", code.value}, {"meaning", code.meaning}}));
  }
  Json box{Json::Array{}};
  for (const std::uint16_t side : entry.payload.box) box.push(int{side});
  out.set("offset", entry.offset);
  out.set("stored", entry.stored);
  out.set("bytes", entry.bytes);
  out.set("runs", std::int64_t{entry.payload.runs});
  out.set("voxels", entry.voxels);
  out.set("box", std::move(box));
  out.set("entities", std::int64_t{entry.greatest});
  out.set("sha256", entry.digest.hex());
  return out;
}

// One member of the index after the other, each with its place.
class IndexReader {
 public:
  IndexReader(const Json& document, std::uint64_t index_offset)
      : document_(document), index_offset_(index_offset) {}

  Result<Index> read() {
    FIDUCIAL_TRY(const std::string found, required_string(document_, "schema", ""));
    if (found != schema)
      return at_pointer("/schema", "\"" + found + "\"; this reader knows \"" + std::string(schema) + "\"");
    FIDUCIAL_TRY_DONE(read_grid());
    FIDUCIAL_TRY(const Json* const masks, required_field(document_, "masks", ""));
    FIDUCIAL_TRY(const Json::Array* const list, expect_array(*masks, "/masks"));
    if (list->size() > most_masks)
      return at_pointer("/masks", decimal(list->size()) + " masks; at most " + decimal(most_masks));
    for (std::size_t i = 0; i < list->size(); ++i) {
      FIDUCIAL_TRY(Entry entry, read_entry((*list)[i], "/masks/" + decimal(i)));
      out_.masks.push_back(std::move(entry));
    }
    if (end_ != index_offset_)
      return at_pointer("/masks", "the masks end at byte " + decimal(end_) + ", the index begins at byte " +
                                      decimal(index_offset_));
    FIDUCIAL_TRY_DONE(check_names());
    FIDUCIAL_TRY_DONE(read_origins());
    return std::move(out_);
  }

 private:
  Result<std::uint64_t> number(const Json& object, const std::string& key, const std::string& pointer,
                               std::uint64_t most) const {
    FIDUCIAL_TRY(const std::int64_t value, required_integer(object, key, pointer));
    if (value < 0 || static_cast<std::uint64_t>(value) > most)
      return at_pointer(pointer + "/" + key, decimal(value) + "; expected 0 to " + decimal(most));
    return static_cast<std::uint64_t>(value);
  }

  // A list of `count` integers from 0 to `most`.
  Result<std::vector<std::int64_t>> integers(const Json& object, const std::string& key,
                                             const std::string& pointer, std::size_t count) const {
    FIDUCIAL_TRY(const Json* const field, required_field(object, key, pointer));
    FIDUCIAL_TRY(const Json::Array* const list, expect_array(*field, pointer + "/" + key));
    std::vector<std::int64_t> out;
    for (const Json& one : *list) {
      const std::int64_t* value = one.as_integer();
      if (value == nullptr || *value < 0 || *value > std::numeric_limits<std::uint16_t>::max()) break;
      out.push_back(*value);
    }
    if (list->size() != count || out.size() != count)
      return at_pointer(pointer + "/" + key, "expected " + decimal(count) + " numbers of 0 to 65535");
    return out;
  }

  Outcome read_grid() {
    FIDUCIAL_TRY(const auto sides, integers(document_, "extent", "", 3));
    out_.grid.extent = {sides[0], sides[1], sides[2]};
    FIDUCIAL_TRY_DONE(wire::check_payload_extent(out_.grid.extent));
    FIDUCIAL_TRY_DONE(check_mask_extent(out_.grid.extent));
    FIDUCIAL_TRY(const Json* const affine, required_field(document_, "affine", ""));
    FIDUCIAL_TRY(const Json::Array* const rows, expect_array(*affine, "/affine"));
    const auto broken = [] { return at_pointer("/affine", "expected 3 rows of 4 finite numbers"); };
    if (rows->size() != 3) return broken();
    for (std::size_t row = 0; row < 3; ++row) {
      const Json::Array* const values = (*rows)[row].as_array();
      if (values == nullptr || values->size() != 4) return broken();
      for (std::size_t column = 0; column < 4; ++column) {
        const auto value = (*values)[column].as_number();
        if (!value || !std::isfinite(*value)) return broken();
        out_.grid.affine.m.at(row).at(column) = *value;
      }
    }
    const auto is_placed = flag_at(document_, "placed");
    if (!is_placed) return at_pointer("/placed", "expected true or false");
    out_.claims_place = *is_placed;
    const std::string wanted = text_at(document_, "arrangement");
    const auto* const found = std::ranges::find(arrangements, wanted, &Arranged::name);
    if (found == std::end(arrangements))
      return at_pointer("/arrangement", "expected labels, findings or structures");
    out_.arrangement = found->arrangement;
    return done();
  }

  Result<Entry> read_entry(const Json& object, const std::string& pointer) {
    Entry out;
    FIDUCIAL_TRY(out.about, read_about(object, pointer));
    FIDUCIAL_TRY(out.offset, number(object, "offset", pointer, index_offset_));
    FIDUCIAL_TRY(out.stored, number(object, "stored", pointer, index_offset_));
    FIDUCIAL_TRY(out.bytes, number(object, "bytes", pointer, most_runs * 15));
    FIDUCIAL_TRY(const std::uint64_t runs, number(object, "runs", pointer, most_runs));
    FIDUCIAL_TRY(const std::uint64_t voxels,
                 number(object, "voxels", pointer, static_cast<std::uint64_t>(out_.grid.extent.count())));
    FIDUCIAL_TRY(const std::uint64_t entities,
                 number(object, "entities", pointer, std::numeric_limits<std::int32_t>::max()));
    FIDUCIAL_TRY(const auto box, integers(object, "box", pointer, 6));
    std::copy(box.begin(), box.end(), out.payload.box.begin());
    FIDUCIAL_TRY(const std::string hex, required_string(object, "sha256", pointer));
    const auto digest = parse_digest(hex);
    if (!digest) return at_pointer(pointer + "/sha256", "expected 64 hexadecimal digits");
    out.digest = *digest;
    out.payload.runs = static_cast<std::uint32_t>(runs);
    out.payload.has_entities = entities > 0;
    out.voxels = static_cast<std::int64_t>(voxels);
    out.greatest = static_cast<std::int32_t>(entities);
    FIDUCIAL_TRY_DONE(check_sizes(out, pointer));
    return out;
  }

  static Result<ListedMask> read_about(const Json& object, const std::string& pointer) {
    ListedMask out;
    FIDUCIAL_TRY(out.name, required_string(object, "name", pointer));
    FIDUCIAL_TRY(const std::int64_t id, required_integer(object, "id", pointer));
    if (id < 0 || id > std::numeric_limits<std::uint32_t>::max())
      return at_pointer(pointer + "/id", decimal(id) + "; expected 0 to 2^32 - 1");
    out.id = static_cast<std::uint32_t>(id);
    if (const Json* code = object.find("code")) {
      MaskCode read;
      FIDUCIAL_TRY(read.scheme, required_string(*code, "scheme", pointer + "/code"));
      FIDUCIAL_TRY(read.value, required_string(*code, "value", pointer + "/code"));
      FIDUCIAL_TRY(read.meaning, required_string(*code, "meaning", pointer + "/code"));
      out.code = std::move(read);
    }
    return out;
  }

  Outcome check_sizes(const Entry& entry, const std::string& pointer) {
    if (entry.offset != end_)
      return at_pointer(pointer + "/offset",
                        decimal(entry.offset) + "; the bytes before it end at " + decimal(end_));
    if (entry.stored > index_offset_ - end_)
      return at_pointer(pointer + "/stored",
                        "reaches into the index, which begins at byte " + decimal(index_offset_));
    end_ += entry.stored;
    if (entry.bytes > entry.stored * max_deflate_ratio)
      return at_pointer(pointer + "/bytes",
                        decimal(entry.stored) + " stored bytes cannot hold " + decimal(entry.bytes));
    // Two bytes a run at least, fifteen at most.
    const std::uint64_t runs = entry.payload.runs;
    if (entry.bytes < 2 * runs || entry.bytes > 15 * runs || static_cast<std::uint64_t>(entry.voxels) < runs)
      return at_pointer(pointer + "/runs", decimal(runs) + " runs are not what " + decimal(entry.bytes) +
                                               " bytes and " + decimal(entry.voxels) + " voxels can be");
    return done();
  }

  Outcome check_names() const {
    if (out_.arrangement == MaskArrangement::labels) {
      if (out_.masks.size() != 1) return at_pointer("/masks", "an array of labels is one mask");
      return done();
    }
    std::set<std::string_view> names;
    std::set<std::uint32_t> ids;
    for (std::size_t i = 0; i < out_.masks.size(); ++i) {
      const ListedMask& about = out_.masks[i].about;
      const std::string pointer = "/masks/" + decimal(i);
      if (auto objection = name_objection(about.name))
        return at_pointer(pointer + "/name", quoted_name(about.name) + ": " + *objection);
      if (!names.insert(about.name).second)
        return at_pointer(pointer + "/name", "a second mask " + quoted_name(about.name));
      if (!ids.insert(about.id).second)
        return at_pointer(pointer + "/id", "a second mask with the number " + decimal(about.id));
    }
    return done();
  }

  Outcome read_origins() {
    const Json* const origins = document_.find("origins");
    if (origins == nullptr) return done();
    FIDUCIAL_TRY(const Json::Array* const list, expect_array(*origins, "/origins"));
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string pointer = "/origins/" + decimal(i);
      FIDUCIAL_TRY(std::string name, required_string((*list)[i], "name", pointer));
      FIDUCIAL_TRY(const std::string hex, required_string((*list)[i], "sha256", pointer));
      const auto digest = parse_digest(hex);
      if (!digest) return at_pointer(pointer + "/sha256", "expected 64 hexadecimal digits");
      out_.origins.push_back({std::move(name), *digest});
    }
    return done();
  }

  const Json& document_;
  std::uint64_t index_offset_;
  std::uint64_t end_ = magic.size();  // of the masks so far
  Index out_;
};

}  // namespace

Bytes footer_as_bytes(const Footer& footer) {
  Bytes out(footer_bytes);
  store(std::span(out), 0, footer.index_offset);
  store(std::span(out), 8, footer.index_stored);
  store(std::span(out), 12, footer.index_bytes);
  std::ranges::copy(std::as_bytes(std::span(footer.index_digest.bytes)), out.begin() + 16);
  std::ranges::copy(as_bytes(end_magic), out.begin() + 48);
  return out;
}

Result<Footer> parse_footer(ByteView last, std::uint64_t size) {
  const auto broken = [&](std::string message) {
    return Error(ErrorCode::invalid_data, "fmask: " + std::move(message),
                 Place{.byte = size - std::min<std::uint64_t>(size, footer_bytes)});
  };
  if (last.size() < footer_bytes || size < magic.size() + footer_bytes)
    return broken("ends within its footer");
  const ByteView bytes = last.last(footer_bytes);
  if (as_text(bytes.last(end_magic.size())) != end_magic)
    return broken("does not end as one: it was cut short or is still being written");
  Footer out{.index_offset = load<std::uint64_t>(bytes, 0),
             .index_stored = load<std::uint32_t>(bytes, 8),
             .index_bytes = load<std::uint32_t>(bytes, 12)};
  std::ranges::copy(bytes.subspan(16, 32), std::as_writable_bytes(std::span(out.index_digest.bytes)).begin());
  const std::uint64_t behind = size - footer_bytes;
  if (out.index_stored > behind - magic.size() || out.index_offset != behind - out.index_stored)
    return broken("the index is not where the footer says: " + decimal(out.index_stored) + " bytes at " +
                  decimal(out.index_offset) + " of " + decimal(size));
  if (out.index_bytes > most_index_bytes ||
      out.index_bytes > std::uint64_t{out.index_stored} * max_deflate_ratio)
    return broken("promises an index of " + decimal(out.index_bytes) + " bytes");
  return out;
}

std::string index_text(const Index& index) {
  Json affine{Json::Array{}};
  for (const auto& row : index.grid.affine.m) affine.push(Json::Array(row.begin(), row.end()));
  Json masks{Json::Array{}};
  for (const Entry& entry : index.masks) masks.push(entry_json(entry));
  Json origins{Json::Array{}};
  for (const MaskOrigin& origin : index.origins)
    origins.push(Json::object({{"name", origin.name}, {"sha256", origin.digest.hex()}}));
  const Extent& extent = index.grid.extent;
  const auto* const arrangement = std::ranges::find(arrangements, index.arrangement, &Arranged::arrangement);
  return Json::object({{"schema", schema},
                       {"arrangement", arrangement->name},
                       {"extent", Json::array({extent.x, extent.y, extent.z})},
                       {"affine", std::move(affine)},
                       {"placed", index.claims_place},
                       {"masks", std::move(masks)},
                       {"origins", std::move(origins)}})
      .compact();
}

Result<Index> parse_index(std::string_view text, std::uint64_t index_offset) {
  FIDUCIAL_TRY(const Json document, parse_json(text).context("reading the index of a .fmask file"));
  return IndexReader(document, index_offset).read().context("reading the index of a .fmask file");
}

}  // namespace fiducial::fmask
