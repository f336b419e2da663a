#include "fiducial/archive/zip_end.h"

#include <algorithm>
#include <optional>

#include "fiducial/archive/zip_format.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using zip::End64Layout;
using zip::EndLayout;
using zip::LocatorLayout;

struct EndRecord {
  std::uint64_t offset = 0;
  Bytes bytes;  // the fixed part
};

// The record whose comment reaches exactly to the end of the file. Two of them would let two readers see two
// different archives.
Result<EndRecord> find_end_record(const ByteSource& source) {
  const std::uint64_t window = std::min<std::uint64_t>(source.size(), EndLayout::size + zip::full16);
  const std::uint64_t start = source.size() - window;
  FIDUCIAL_TRY(const Bytes tail,
               read_zip_bytes(source, start, static_cast<std::size_t>(window), "the end record"));
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at + EndLayout::size <= tail.size(); ++at) {
    if (tail[at] != std::byte{'P'} || load<std::uint32_t>(tail, at) != zip::end_signature) continue;
    const std::size_t comment = load<std::uint16_t>(tail, at + EndLayout::comment_length);
    if (at + EndLayout::size + comment != tail.size()) continue;
    if (found) return zip_error_at(start + at, "a second end record also reaches the end of the file");
    found = at;
  }
  if (!found) {
    return zip_error_at(source.size(),
                        "not a zip archive, or cut off: no end record reaches the end of the file")
        .because(ErrorReason::not_archive);
  }
  const auto first = tail.begin() + static_cast<std::ptrdiff_t>(*found);
  return EndRecord{start + *found, Bytes(first, first + static_cast<std::ptrdiff_t>(EndLayout::size))};
}

Outcome check_one_disk(std::uint64_t byte, std::uint64_t disk, std::uint64_t directory_disk) {
  if (disk == 0 && directory_disk == 0) return done();
  return zip_error_at(byte, "archive is split over several disks (disk " + decimal(disk) +
                                ", directory on disk " + decimal(directory_disk) +
                                "); only single files are read");
}

Outcome check_entry_counts(std::uint64_t byte, std::uint64_t here, std::uint64_t all) {
  if (here == all) return done();
  return zip_error_at(byte, "end record counts " + decimal(here) + " entries on this disk and " +
                                decimal(all) + " in all; a single file has them all");
}

// The directory must fill the space up to the record that describes it, so nothing hides between them.
Outcome check_place(const ZipDirectoryPlace& place, std::uint64_t end) {
  if (place.offset <= end && place.size == end - place.offset) return done();
  return zip_error_at(end, "central directory of " + decimal(place.size) + " bytes at byte " +
                               decimal(place.offset) + " does not end where its end record begins, at byte " +
                               decimal(end));
}

// A field of the short record is either all ones or says the same as the long one.
template <typename Field>
Outcome check_agreement(const EndRecord& end, std::size_t field, std::uint64_t in_zip64) {
  const std::uint64_t value = load<Field>(end.bytes, field);
  if (value == static_cast<Field>(~Field{0}) || value == in_zip64) return done();
  return zip_error_at(end.offset + field, "end record says " + decimal(value) +
                                              " where the zip64 end record says " + decimal(in_zip64));
}

Result<ZipDirectoryPlace> read_zip64_end(const ByteSource& source, const EndRecord& end,
                                         std::uint64_t locator_offset, ByteView locator) {
  const auto offset = load<std::uint64_t>(locator, LocatorLayout::offset);
  if (load<std::uint32_t>(locator, LocatorLayout::disk) != 0 ||
      load<std::uint32_t>(locator, LocatorLayout::disks) > 1) {
    return zip_error_at(locator_offset, "archive is split over several disks; only single files are read");
  }
  if (offset > locator_offset || locator_offset - offset < End64Layout::size) {
    return zip_error_at(locator_offset + LocatorLayout::offset,
                        "zip64 end record at byte " + decimal(offset) +
                            " does not fit before its locator at byte " + decimal(locator_offset));
  }
  FIDUCIAL_TRY(const Bytes record, read_zip_bytes(source, offset, End64Layout::size, "the zip64 end record"));
  if (load<std::uint32_t>(record, 0) != zip::end64_signature) {
    return zip_error_at(offset, "no zip64 end record where its locator points");
  }
  const std::uint64_t expected_size = locator_offset - offset - 12;
  if (const auto size = load<std::uint64_t>(record, End64Layout::record_size); size != expected_size) {
    return zip_error_at(offset + End64Layout::record_size, "zip64 end record says it has " + decimal(size) +
                                                               " bytes; " + decimal(expected_size) +
                                                               " lie before its locator");
  }
  FIDUCIAL_TRY_DONE(check_one_disk(offset + End64Layout::disk, load<std::uint32_t>(record, End64Layout::disk),
                                   load<std::uint32_t>(record, End64Layout::directory_disk)));
  const ZipDirectoryPlace place{.offset = load<std::uint64_t>(record, End64Layout::directory_offset),
                                .size = load<std::uint64_t>(record, End64Layout::directory_size),
                                .entries = load<std::uint64_t>(record, End64Layout::entries)};
  FIDUCIAL_TRY_DONE(check_entry_counts(offset + End64Layout::disk_entries,
                                       load<std::uint64_t>(record, End64Layout::disk_entries),
                                       place.entries));
  FIDUCIAL_TRY_DONE(check_agreement<std::uint16_t>(end, EndLayout::disk_entries, place.entries));
  FIDUCIAL_TRY_DONE(check_agreement<std::uint16_t>(end, EndLayout::entries, place.entries));
  FIDUCIAL_TRY_DONE(check_agreement<std::uint32_t>(end, EndLayout::directory_size, place.size));
  FIDUCIAL_TRY_DONE(check_agreement<std::uint32_t>(end, EndLayout::directory_offset, place.offset));
  FIDUCIAL_TRY_DONE(check_place(place, offset));
  return place;
}

Result<ZipDirectoryPlace> read_plain_end(const EndRecord& end) {
  const ZipDirectoryPlace place{.offset = load<std::uint32_t>(end.bytes, EndLayout::directory_offset),
                                .size = load<std::uint32_t>(end.bytes, EndLayout::directory_size),
                                .entries = load<std::uint16_t>(end.bytes, EndLayout::entries)};
  FIDUCIAL_TRY_DONE(check_one_disk(end.offset + EndLayout::disk,
                                   load<std::uint16_t>(end.bytes, EndLayout::disk),
                                   load<std::uint16_t>(end.bytes, EndLayout::directory_disk)));
  FIDUCIAL_TRY_DONE(check_entry_counts(end.offset + EndLayout::disk_entries,
                                       load<std::uint16_t>(end.bytes, EndLayout::disk_entries),
                                       place.entries));
  FIDUCIAL_TRY_DONE(check_place(place, end.offset));
  return place;
}

}  // namespace

Error zip_error_at(std::uint64_t byte, std::string message) {
  return {ErrorCode::invalid_data, std::move(message), Place{.byte = byte}};
}

Result<Bytes> read_zip_bytes(const ByteSource& source, std::uint64_t offset, std::size_t count,
                             const char* what) {
  const std::uint64_t left = source.size() - std::min(offset, source.size());
  if (left < count) {
    return zip_error_at(offset, std::string(what) + " needs " + decimal(count) + " bytes; the file has " +
                                    decimal(left) + " left");
  }
  Bytes out(count);
  FIDUCIAL_TRY(const std::size_t got, source.read_at(offset, out));
  if (got < count) return zip_error_at(offset + got, "file ended while " + std::string(what) + " was read");
  return out;
}

Result<ZipDirectoryPlace> find_zip_directory(const ByteSource& source) {
  FIDUCIAL_TRY(const EndRecord end, find_end_record(source));
  if (end.offset >= LocatorLayout::size) {
    const std::uint64_t offset = end.offset - LocatorLayout::size;
    FIDUCIAL_TRY(const Bytes locator,
                 read_zip_bytes(source, offset, LocatorLayout::size, "the zip64 locator"));
    if (load<std::uint32_t>(locator, 0) == zip::locator_signature) {
      return read_zip64_end(source, end, offset, locator);
    }
  }
  return read_plain_end(end);
}

}  // namespace fiducial
