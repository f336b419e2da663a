#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fiducial/archive/byte_source.h"
#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// An index of a gzip file: places from which it can be inflated without what is before them, each with the
// 32 KiB that DEFLATE may refer back to (docs/formats/gzidx.md). It lies beside the file: ct.nii.gz.gzidx.
inline constexpr const char* gzip_index_ending = ".gzidx";
inline constexpr std::uint64_t gzip_index_spacing = std::uint64_t{1} << 20;  // bytes of the inflated file

// Reads the gzip file once. Fails where it is broken, as reading it would.
Result<Bytes> make_gzip_index(const ByteSource& gzip, std::uint64_t spacing = gzip_index_spacing);

// The inflated bytes of a gzip file, anywhere, by its index. What is read is inflated from the place before
// it to the next one and held against the checksum that the index has of it, so that neither a file that
// changed nor an index of another file gives bytes that are not there.
class IndexedGzip final : public ByteSource {
 public:
  // Reads the table of the index. Fails with ErrorCode::integrity where the index is not of this file by its
  // size and its end, and with invalid_data where it is broken. Allocates for no more places than it holds.
  static Result<std::shared_ptr<const IndexedGzip>> open(std::shared_ptr<const ByteSource> gzip,
                                                         std::shared_ptr<const ByteSource> index);

  std::uint64_t size() const override { return inflated_bytes_; }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const override;
  // The SHA-256 of the gzip file that the index was made of, in hexadecimal digits.
  const std::string& digest() const { return digest_; }

 private:
  struct Place {
    std::uint64_t stored = 0;    // offset in the gzip file, of the first whole byte
    std::uint64_t inflated = 0;  // offset in what it holds
    std::uint8_t bits = 0;       // of the byte before, its highest, that belong to what follows
    std::uint64_t window = 0;    // offset in the index; 0: at the start of a member, nothing is before it
    std::uint32_t crc32 = 0;     // of the inflated bytes up to the next place
  };

  IndexedGzip() = default;
  Outcome read_table(std::uint64_t size);
  Outcome take_places(ByteView head);
  Outcome check_binding(ByteView head, std::uint64_t window, Bytes binding);
  std::uint64_t end_of(std::size_t place) const;
  Outcome inflate_span(std::size_t place, std::uint64_t offset, std::span<std::byte> out) const;
  Outcome read_span(std::size_t place, std::uint64_t offset, std::span<std::byte> out) const;

  std::shared_ptr<const ByteSource> gzip_;
  std::shared_ptr<const ByteSource> index_;
  std::uint64_t inflated_bytes_ = 0;
  std::string digest_;
  std::vector<Place> places_;
  // What was inflated last: slices lie behind each other.
  struct Kept {
    std::size_t place = 0;
    Bytes bytes;
  };
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Kept> kept_;
};

// Writes the index of a file beside it; false where one is there that fits and is kept. One that does not fit
// is replaced only where that was asked for. Refuses a file that is not compressed.
Result<bool> write_gzip_index(const Path& gzip, bool overwrite);

// What a gzip file holds, by the index beside it; nothing where there is none.
Result<std::shared_ptr<const ByteSource>> open_indexed_gzip(const Path& gzip);

}  // namespace fiducial
