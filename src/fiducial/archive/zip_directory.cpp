#include "fiducial/archive/zip_directory.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "fiducial/archive/zip_end.h"
#include "fiducial/archive/zip_format.h"
#include "fiducial/archive/zip_name.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using zip::CentralLayout;
using zip::LocalLayout;

Error in_entry(std::uint64_t byte, std::string_view name, const std::string& message) {
  return zip_error_at(byte, "entry " + quoted_name(name) + " " + message);
}

// The extra fields we act on; the others are carried by no one and skipped.
struct ExtraFields {
  std::optional<ByteView> zip64;
  std::optional<ByteView> unicode_path;
};

Result<ExtraFields> parse_extra(ByteView extra, std::uint64_t byte, std::string_view name) {
  ExtraFields out;
  std::size_t at = 0;
  while (at < extra.size()) {
    const std::size_t left = extra.size() - at;
    if (left < 4 || left - 4 < load<std::uint16_t>(extra, at + 2)) {
      return in_entry(byte + at, name, "has an extra field that is cut off");
    }
    const auto id = load<std::uint16_t>(extra, at);
    const ByteView content = extra.subspan(at + 4, load<std::uint16_t>(extra, at + 2));
    auto* const slot = id == zip::zip64_extra          ? &out.zip64
                       : id == zip::unicode_path_extra ? &out.unicode_path
                                                       : nullptr;
    if (slot != nullptr && slot->has_value()) {
      return in_entry(byte + at, name, "has the same extra field twice");
    }
    if (slot != nullptr) *slot = content;
    at += 4 + content.size();
  }
  return out;
}

// Takes 64-bit values in the order of the fields that are all ones.
class Zip64Values {
 public:
  explicit Zip64Values(std::optional<ByteView> content) : rest_(content.value_or(ByteView())) {}

  std::optional<std::uint64_t> widened(std::uint32_t field) {
    if (field != zip::full32) return field;
    if (rest_.size() < 8) return std::nullopt;
    const auto value = load<std::uint64_t>(rest_, 0);
    rest_ = rest_.subspan(8);
    return value;
  }

 private:
  ByteView rest_;
};

Outcome check_flags(const ZipRecord& record, std::uint64_t byte) {
  if ((record.flags & (zip::encrypted_flag | zip::strong_encryption_flag | zip::masked_flag)) != 0) {
    return in_entry(byte, record.name, "is encrypted");
  }
  if ((record.flags & zip::patch_flag) != 0) return in_entry(byte, record.name, "is a patch, not a file");
  if (record.method != zip::stored && record.method != zip::deflated) {
    return in_entry(
        byte, record.name,
        "is compressed by method " + decimal(record.method) + "; expected 0 (stored) or 8 (deflate)");
  }
  return done();
}

// The attributes are looked at whatever system claims to have written them, as unpackers do.
Outcome check_kind(const ZipRecord& record, std::uint32_t attributes, std::uint64_t byte) {
  const std::uint32_t kind = (attributes >> 16U) & zip::mode_kind;
  if (kind == zip::mode_link) return in_entry(byte, record.name, "is a symbolic link");
  const std::uint32_t expected = record.folder() ? zip::mode_folder : zip::mode_regular;
  if (kind == 0 || kind == expected) return done();
  return in_entry(byte, record.name,
                  record.folder() ? "ends in '/' but is no folder" : "is not a regular file");
}

Outcome check_sizes(const ZipRecord& record, std::uint64_t byte) {
  if (record.folder() && record.size != 0) {
    return in_entry(byte, record.name, "is a folder of " + decimal(record.size) + " bytes; expected 0");
  }
  if (record.method == zip::stored && record.size != record.compressed_size) {
    return in_entry(byte, record.name,
                    "is stored, but its sizes are " + decimal(record.compressed_size) + " and " +
                        decimal(record.size) + " bytes");
  }
  const std::uint64_t least =
      record.size / max_deflate_ratio + (record.size % max_deflate_ratio == 0 ? 0 : 1);
  if (record.compressed_size < least) {
    return in_entry(byte, record.name,
                    "promises " + decimal(record.size) + " bytes from " + decimal(record.compressed_size) +
                        "; deflate expands at most " + decimal(max_deflate_ratio) + " times");
  }
  return done();
}

// Reads the records of the central directory one after the other.
class DirectoryParser {
 public:
  DirectoryParser(ByteView bytes, std::uint64_t offset) : bytes_(bytes), offset_(offset) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::uint64_t byte() const { return offset_ + at_; }

  Result<ZipRecord> next() {
    const std::uint64_t start = byte();
    const std::size_t left = bytes_.size() - at_;
    if (left < CentralLayout::size || field<std::uint32_t>(0) != zip::central_signature) {
      return zip_error_at(start, "no central directory record where one is expected");
    }
    const std::size_t name_length = field<std::uint16_t>(CentralLayout::name_length);
    const std::size_t extra_length = field<std::uint16_t>(CentralLayout::extra_length);
    const std::size_t length = CentralLayout::size + name_length + extra_length +
                               field<std::uint16_t>(CentralLayout::comment_length);
    if (length > left)
      return zip_error_at(start, "central directory record reaches past the central directory");
    ZipRecord record{.name = std::string(as_text(bytes_.subspan(at_ + CentralLayout::size, name_length))),
                     .flags = field<std::uint16_t>(CentralLayout::flags),
                     .method = field<std::uint16_t>(CentralLayout::method),
                     .crc32 = field<std::uint32_t>(CentralLayout::crc)};
    if (const auto objection = zip_name_objection(record.name)) {
      return in_entry(start + CentralLayout::size, record.name, "has a name that is refused: " + *objection);
    }
    FIDUCIAL_TRY_DONE(read_extra(record, at_ + CentralLayout::size + name_length, extra_length));
    FIDUCIAL_TRY_DONE(check_flags(record, start + CentralLayout::flags));
    FIDUCIAL_TRY_DONE(check_kind(record, field<std::uint32_t>(CentralLayout::attributes),
                                 start + CentralLayout::attributes));
    FIDUCIAL_TRY_DONE(check_sizes(record, start + CentralLayout::compressed));
    if (const auto disk = field<std::uint16_t>(CentralLayout::disk); disk != 0 && disk != zip::full16) {
      return in_entry(start + CentralLayout::disk, record.name,
                      "lies on disk " + decimal(disk) + "; expected 0");
    }
    at_ += length;
    return record;
  }

 private:
  template <typename Field>
  Field field(std::size_t offset) const {
    return load<Field>(bytes_, at_ + offset);
  }

  Outcome read_extra(ZipRecord& record, std::size_t at, std::size_t length) {
    FIDUCIAL_TRY(const ExtraFields extra, parse_extra(bytes_.subspan(at, length), offset_ + at, record.name));
    Zip64Values values(extra.zip64);
    const auto size = values.widened(field<std::uint32_t>(CentralLayout::uncompressed));
    const auto compressed = values.widened(field<std::uint32_t>(CentralLayout::compressed));
    const auto offset = values.widened(field<std::uint32_t>(CentralLayout::offset));
    if (!size || !compressed || !offset) {
      return in_entry(offset_ + at, record.name, "lacks a zip64 value that its record asks for");
    }
    record.size = *size;
    record.compressed_size = *compressed;
    record.local_offset = *offset;
    // Version and checksum come before the text.
    if (extra.unicode_path &&
        (extra.unicode_path->size() < 5 || as_text(extra.unicode_path->subspan(5)) != record.name)) {
      return in_entry(offset_ + at, record.name, "has a second, different name in an extra field");
    }
    return done();
  }

  ByteView bytes_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
};

Result<std::vector<ZipRecord>> parse_directory(ByteView bytes, const ZipDirectoryPlace& place) {
  std::vector<ZipRecord> records;
  records.reserve(static_cast<std::size_t>(place.entries));
  DirectoryParser parser(bytes, place.offset);
  for (std::uint64_t i = 0; i < place.entries; ++i) {
    FIDUCIAL_TRY(ZipRecord record, parser.next());
    records.push_back(std::move(record));
  }
  if (!parser.at_end()) {
    return zip_error_at(parser.byte(), "central directory goes on after the " + decimal(place.entries) +
                                           " entries that the end record counts");
  }
  return records;
}

// A file and a folder of the same name count as duplicates too.
Outcome check_duplicates(const std::vector<ZipRecord>& records) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::string_view name = records[i].name;
    if (name.back() == '/') name.remove_suffix(1);
    const auto [earlier, is_new] = seen.emplace(name, i);
    if (is_new) continue;
    return in_entry(
        records[i].local_offset, name,
        "appears twice: as entry " + decimal(earlier->second + 1) + " and as entry " + decimal(i + 1));
  }
  return done();
}

Outcome check_local_sizes(const ZipRecord& record, ByteView header, ByteView extra_bytes) {
  // With a data descriptor the sizes stand behind the data, and the central directory's are taken.
  if ((record.flags & zip::descriptor_flag) != 0) return done();
  const std::uint64_t byte = record.local_offset;
  FIDUCIAL_TRY(const ExtraFields extra,
               parse_extra(extra_bytes, record.data_offset - extra_bytes.size(), record.name));
  Zip64Values values(extra.zip64);
  const auto size = values.widened(load<std::uint32_t>(header, LocalLayout::uncompressed));
  const auto compressed = values.widened(load<std::uint32_t>(header, LocalLayout::compressed));
  if (!size || !compressed) return in_entry(byte, record.name, "lacks a zip64 value in its local header");
  if (*size != record.size || *compressed != record.compressed_size) {
    return in_entry(byte + LocalLayout::compressed, record.name,
                    "has sizes " + decimal(*compressed) + " and " + decimal(*size) +
                        " in its local header, " + decimal(record.compressed_size) + " and " +
                        decimal(record.size) + " in the central directory");
  }
  if (load<std::uint32_t>(header, LocalLayout::crc) != record.crc32) {
    return in_entry(byte + LocalLayout::crc, record.name,
                    "has another CRC-32 in its local header than in the central directory");
  }
  return done();
}

// Holds the local header against the record and finds where the data begin.
Outcome read_local_header(const ByteSource& source, ZipRecord& record) {
  const std::uint64_t byte = record.local_offset;
  FIDUCIAL_TRY(const Bytes header, read_zip_bytes(source, byte, LocalLayout::size, "a local header"));
  if (load<std::uint32_t>(header, 0) != zip::local_signature) {
    return in_entry(byte, record.name, "has no local header where the central directory points");
  }
  constexpr unsigned compared = zip::encrypted_flag | zip::descriptor_flag | zip::strong_encryption_flag;
  const auto flags = load<std::uint16_t>(header, LocalLayout::flags);
  if (((flags ^ record.flags) & compared) != 0) {
    return in_entry(byte + LocalLayout::flags, record.name,
                    "has flags " + decimal(flags) + " in its local header, " + decimal(record.flags) +
                        " in the central directory");
  }
  if (const auto method = load<std::uint16_t>(header, LocalLayout::method); method != record.method) {
    return in_entry(byte + LocalLayout::method, record.name,
                    "has method " + decimal(method) + " in its local header, " + decimal(record.method) +
                        " in the central directory");
  }
  const std::size_t name_length = load<std::uint16_t>(header, LocalLayout::name_length);
  const std::size_t extra_length = load<std::uint16_t>(header, LocalLayout::extra_length);
  FIDUCIAL_TRY(const Bytes rest, read_zip_bytes(source, byte + LocalLayout::size, name_length + extra_length,
                                                "a local header"));
  const std::string_view name = as_text(ByteView(rest).first(name_length));
  if (name != record.name) {
    return in_entry(byte + LocalLayout::size, record.name,
                    "is named " + quoted_name(name) + " in its local header");
  }
  record.data_offset = byte + LocalLayout::size + name_length + extra_length;
  return check_local_sizes(record, header, ByteView(rest).subspan(name_length));
}

// Entries that share bytes make a small file unpack to a huge one.
Outcome check_overlaps(const std::vector<ZipRecord>& records, std::uint64_t directory_offset) {
  std::vector<const ZipRecord*> order;
  order.reserve(records.size());
  for (const ZipRecord& record : records) order.push_back(&record);
  std::sort(order.begin(), order.end(),
            [](const ZipRecord* a, const ZipRecord* b) { return a->local_offset < b->local_offset; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ZipRecord& record = *order[i];
    const std::uint64_t limit = i + 1 < order.size() ? order[i + 1]->local_offset : directory_offset;
    if (record.data_offset <= limit && record.compressed_size <= limit - record.data_offset) continue;
    const std::string next = i + 1 < order.size() ? "entry " + quoted_name(order[i + 1]->name)
                                                  : std::string("the central directory");
    return in_entry(record.data_offset, record.name,
                    "with " + decimal(record.compressed_size) + " bytes of data overlaps " + next +
                        " at byte " + decimal(limit));
  }
  return done();
}

}  // namespace

Result<std::vector<ZipRecord>> read_zip_directory(const ByteSource& source) {
  FIDUCIAL_TRY(const ZipDirectoryPlace place, find_zip_directory(source));
  if (place.entries > max_zip_entries || place.size > max_zip_directory_bytes) {
    return zip_error_at(place.offset, "archive has " + decimal(place.entries) + " entries in a list of " +
                                          decimal(place.size) + " bytes; at most " +
                                          decimal(max_zip_entries) + " entries in " +
                                          decimal(max_zip_directory_bytes) + " bytes are read");
  }
  if (place.entries > place.size / CentralLayout::size) {
    return zip_error_at(place.offset, "end record counts " + decimal(place.entries) +
                                          " entries; a central directory of " + decimal(place.size) +
                                          " bytes has at most " + decimal(place.size / CentralLayout::size));
  }
  FIDUCIAL_TRY(const Bytes bytes, read_zip_bytes(source, place.offset, static_cast<std::size_t>(place.size),
                                                 "the central directory"));
  FIDUCIAL_TRY(std::vector<ZipRecord> records, parse_directory(bytes, place));
  FIDUCIAL_TRY_DONE(check_duplicates(records));
  for (ZipRecord& record : records) FIDUCIAL_TRY_DONE(read_local_header(source, record));
  FIDUCIAL_TRY_DONE(check_overlaps(records, place.offset));
  return records;
}

}  // namespace fiducial
