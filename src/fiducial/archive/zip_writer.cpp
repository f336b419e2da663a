#include "fiducial/archive/zip_writer.h"

#include <algorithm>
#include <memory>

#include <libdeflate.h>

#include "fiducial/archive/zip_directory.h"
#include "fiducial/archive/zip_format.h"
#include "fiducial/archive/zip_name.h"
#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using zip::CentralLayout;
using zip::End64Layout;
using zip::EndLayout;
using zip::LocalLayout;
using zip::LocatorLayout;

constexpr std::size_t copy_bytes = std::size_t{256} << 10;
constexpr std::uint16_t version_plain = 20;
constexpr std::uint16_t version_zip64 = 45;
constexpr std::uint16_t made_on_unix = 3U << 8U;
constexpr std::uint16_t first_day = (1U << 5U) | 1U;  // 1980-01-01, the first date the format knows
constexpr std::uint32_t plain_file_mode = (zip::mode_regular | 0644U) << 16U;

// The deflated bytes, or nothing when they are no fewer.
Bytes deflated_bytes(ByteView bytes, int level) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
  FIDUCIAL_ASSERT(compressor != nullptr);
  if (bytes.size() < 2) return {};
  Bytes out(bytes.size() - 1);
  out.resize(
      libdeflate_deflate_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

bool is_ascii(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::uint16_t name_flags(std::string_view name) { return is_ascii(name) ? std::uint16_t{0} : zip::utf8_flag; }

// A zip64 extra field with the given values; nothing when there are none.
Bytes zip64_field(std::span<const std::uint64_t> values) {
  if (values.empty()) return {};
  Bytes out(4 + 8 * values.size());
  store(std::span(out), 0, zip::zip64_extra);
  store(std::span(out), 2, static_cast<std::uint16_t>(8 * values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) store(std::span(out), 4 + 8 * i, values[i]);
  return out;
}

void append(Bytes& out, ByteView more) {
  for (const std::byte value : more) out.push_back(value);  // headers only; insert() trips a GCC 12 warning
}

}  // namespace

Outcome MemorySink::write(ByteView bytes) {
  append(bytes_, bytes);
  return done();
}

Result<std::unique_ptr<FileSink>> FileSink::create(const Path& target) {
  FIDUCIAL_TRY(PartialFile file, PartialFile::create(target));
  return std::unique_ptr<FileSink>(new FileSink(std::move(file)));
}

Outcome ZipWriter::add(std::string_view name, ByteView bytes, ZipMethod method) {
  FIDUCIAL_TRY_DONE(check_name(name));
  const Bytes smaller = method == ZipMethod::deflated ? deflated_bytes(bytes, options_.level) : Bytes();
  const ByteView content = smaller.empty() ? bytes : ByteView(smaller);
  FIDUCIAL_TRY_DONE(begin({.name = std::string(name),
                           .method = smaller.empty() ? zip::stored : zip::deflated,
                           .crc32 = libdeflate_crc32(0, bytes.data(), bytes.size()),
                           .compressed_size = content.size(),
                           .size = bytes.size()}));
  return write(content);
}

Outcome ZipWriter::add_file(std::string_view name, const Path& file) {
  FIDUCIAL_TRY_DONE(check_name(name));
  Record record{.name = std::string(name), .method = zip::stored};
  Bytes buffer(copy_bytes);
  {
    FIDUCIAL_TRY(const std::unique_ptr<FileStream> stream, FileStream::open(file));
    for (;;) {
      FIDUCIAL_TRY(const std::size_t got, stream->read(buffer).in_file(file.string()));
      record.crc32 = libdeflate_crc32(record.crc32, buffer.data(), got);
      record.size += got;
      if (got < buffer.size()) break;
    }
  }
  record.compressed_size = record.size;
  const std::uint32_t promised_crc = record.crc32;
  std::uint64_t left = record.size;
  FIDUCIAL_TRY_DONE(begin(std::move(record)));
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> stream, FileStream::open(file));
  std::uint32_t crc = 0;
  while (left > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer.size()));
    FIDUCIAL_TRY(const std::size_t got, stream->read(std::span(buffer).first(wanted)).in_file(file.string()));
    if (got < wanted) break;
    crc = libdeflate_crc32(crc, buffer.data(), got);
    FIDUCIAL_TRY_DONE(write(ByteView(buffer).first(got)));
    left -= got;
  }
  if (left == 0 && crc == promised_crc) return done();
  return Error(ErrorCode::integrity, "file changed while it was packed", Place{.path = file.string()});
}

Outcome ZipWriter::finish() {
  const std::uint64_t directory_offset = written_;
  for (const Record& record : records_) FIDUCIAL_TRY_DONE(write(central_record(record)));
  return write(end_records(directory_offset, written_ - directory_offset));
}

Outcome ZipWriter::begin(Record record) {
  record.offset = written_;
  records_.push_back(std::move(record));
  return write(local_header(records_.back()));
}

Outcome ZipWriter::write(ByteView bytes) {
  written_ += bytes.size();
  return sink_.write(bytes);
}

Outcome ZipWriter::check_name(std::string_view name) {
  if (const auto objection = zip_name_objection(name)) {
    return bad_usage("name " + quoted_name(name) + " cannot go into an archive: " + *objection);
  }
  if (name.back() == '/')
    return bad_usage("name " + quoted_name(name) + " is a folder's; only files are packed");
  if (records_.size() >= max_zip_entries)
    return bad_usage("more than " + decimal(max_zip_entries) + " entries");
  if (!names_.insert(std::string(name)).second)
    return bad_usage("name " + quoted_name(name) + " is added twice");
  return done();
}

Bytes ZipWriter::local_header(const Record& record) const {
  const bool zip64 = wide(record.size) || wide(record.compressed_size);
  Bytes extra;
  if (zip64) extra = zip64_field(std::array{record.size, record.compressed_size});
  Bytes out(LocalLayout::size);
  const std::span<std::byte> fields(out);
  store(fields, 0, zip::local_signature);
  store(fields, LocalLayout::version, zip64 ? version_zip64 : version_plain);
  store(fields, LocalLayout::flags, name_flags(record.name));
  store(fields, LocalLayout::method, record.method);
  store(fields, LocalLayout::date, first_day);
  store(fields, LocalLayout::crc, record.crc32);
  store(fields, LocalLayout::compressed,
        zip64 ? zip::full32 : static_cast<std::uint32_t>(record.compressed_size));
  store(fields, LocalLayout::uncompressed, zip64 ? zip::full32 : static_cast<std::uint32_t>(record.size));
  store(fields, LocalLayout::name_length, static_cast<std::uint16_t>(record.name.size()));
  store(fields, LocalLayout::extra_length, static_cast<std::uint16_t>(extra.size()));
  append(out, as_bytes(record.name));
  append(out, extra);
  return out;
}

Bytes ZipWriter::central_record(const Record& record) const {
  const bool wide_sizes = wide(record.size) || wide(record.compressed_size);
  std::vector<std::uint64_t> values;
  if (wide_sizes) values = {record.size, record.compressed_size};
  if (wide(record.offset)) values.push_back(record.offset);
  const Bytes extra = zip64_field(values);
  const std::uint16_t version = extra.empty() ? version_plain : version_zip64;
  Bytes out(CentralLayout::size);
  const std::span<std::byte> fields(out);
  const auto narrow = [](bool is_wide, std::uint64_t value) {
    return is_wide ? zip::full32 : static_cast<std::uint32_t>(value);
  };
  store(fields, 0, zip::central_signature);
  store(fields, CentralLayout::made_by, static_cast<std::uint16_t>(made_on_unix | version));
  store(fields, CentralLayout::version, version);
  store(fields, CentralLayout::flags, name_flags(record.name));
  store(fields, CentralLayout::method, record.method);
  store(fields, CentralLayout::date, first_day);
  store(fields, CentralLayout::crc, record.crc32);
  store(fields, CentralLayout::compressed, narrow(wide_sizes, record.compressed_size));
  store(fields, CentralLayout::uncompressed, narrow(wide_sizes, record.size));
  store(fields, CentralLayout::name_length, static_cast<std::uint16_t>(record.name.size()));
  store(fields, CentralLayout::extra_length, static_cast<std::uint16_t>(extra.size()));
  store(fields, CentralLayout::attributes, plain_file_mode);
  store(fields, CentralLayout::offset, narrow(wide(record.offset), record.offset));
  append(out, as_bytes(record.name));
  append(out, extra);
  return out;
}

Bytes ZipWriter::end_records(std::uint64_t directory_offset, std::uint64_t directory_size) const {
  const std::uint64_t entries = records_.size();
  const bool zip64 = wide(directory_offset) || wide(directory_size) || entries >= zip::full16;
  Bytes out(zip64 ? End64Layout::size + LocatorLayout::size + EndLayout::size : EndLayout::size);
  std::span<std::byte> fields(out);
  if (zip64) {
    store(fields, 0, zip::end64_signature);
    store(fields, End64Layout::record_size, std::uint64_t{End64Layout::size - 12});
    store(fields, End64Layout::made_by, static_cast<std::uint16_t>(made_on_unix | version_zip64));
    store(fields, End64Layout::version, version_zip64);
    store(fields, End64Layout::disk_entries, entries);
    store(fields, End64Layout::entries, entries);
    store(fields, End64Layout::directory_size, directory_size);
    store(fields, End64Layout::directory_offset, directory_offset);
    fields = fields.subspan(End64Layout::size);
    store(fields, 0, zip::locator_signature);
    store(fields, LocatorLayout::offset, directory_offset + directory_size);
    store(fields, LocatorLayout::disks, std::uint32_t{1});
    fields = fields.subspan(LocatorLayout::size);
  }
  const std::uint16_t short_entries = zip64 ? zip::full16 : static_cast<std::uint16_t>(entries);
  store(fields, 0, zip::end_signature);
  store(fields, EndLayout::disk_entries, short_entries);
  store(fields, EndLayout::entries, short_entries);
  store(fields, EndLayout::directory_size, zip64 ? zip::full32 : static_cast<std::uint32_t>(directory_size));
  store(fields, EndLayout::directory_offset,
        zip64 ? zip::full32 : static_cast<std::uint32_t>(directory_offset));
  return out;
}

}  // namespace fiducial
