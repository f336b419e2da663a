#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"

namespace fiducial {

// A file inside an archive.
struct ZipEntry {
  std::string name;  // a plain relative path, see zip_name_objection()
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t crc32 = 0;

  friend bool operator==(const ZipEntry&, const ZipEntry&) = default;
};

// A zip archive from anyone: what opens can be unpacked below any folder without surprises.
//
// Refused when opened: names that leave the folder, links and special files, duplicate names, encryption,
// methods other than stored and deflate, archives in several parts, entries that share bytes, sizes beyond
// what deflate can expand to, and local headers that contradict the central directory. Folder entries are
// checked like the others and not listed. Several threads may read entries of one reader at the same time;
// streams stay valid when the reader is gone.
class ZipReader {
 public:
  static Result<ZipReader> open(const Path& path);
  static Result<ZipReader> open(std::shared_ptr<const ByteSource> source, std::string name_in_errors = {});

  std::span<const ZipEntry> entries() const { return entries_; }
  std::optional<std::size_t> find(std::string_view name) const;

  // The bytes of an entry, in constant memory. The read that delivers the last byte also verifies that the
  // data end there and that the CRC-32 agrees; it fails otherwise.
  Result<std::unique_ptr<ByteStream>> open_entry(std::size_t index) const;

 private:
  struct DataPlace {
    std::uint64_t offset = 0;
    bool deflated = false;
  };

  ZipReader(std::shared_ptr<const ByteSource> source, std::string path)
      : source_(std::move(source)), path_(std::move(path)) {}

  std::shared_ptr<const ByteSource> source_;
  std::string path_;
  std::vector<ZipEntry> entries_;
  std::vector<DataPlace> places_;  // one an entry
};

}  // namespace fiducial
