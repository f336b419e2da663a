#pragma once

#include <memory>

#include "fiducial/base/byte_stream.h"

namespace fiducial {

// What wraps the DEFLATE data.
enum class DeflateWrapper { gzip, zlib, none };

// Inflates another stream in constant memory.
//
// gzip: members may be concatenated and padded with zero bytes; CRC-32 and length of every member are
// verified when its end is reached. zlib: one stream, whose Adler-32 is verified. Truncated and corrupt data
// are errors that name the compressed byte.
class InflateStream final : public ByteStream {
 public:
  InflateStream(std::unique_ptr<ByteStream> upstream, DeflateWrapper wrapper);
  ~InflateStream() override;
  Result<std::size_t> read(std::span<std::byte> out) override;
  // Compressed bytes used so far; exact once read() has returned fewer bytes than asked.
  std::uint64_t consumed() const;

 private:
  struct State;
  Outcome refill();
  Result<bool> start_next_member();
  Error failure(const char* what) const;

  std::unique_ptr<ByteStream> upstream_;
  std::unique_ptr<State> state_;
  DeflateWrapper wrapper_;
};

// The bytes of a complete zlib stream (RFC 1950) that unpacks to exactly so many; its checksum is verified.
// The caller has held their number against what was stored.
Result<Bytes> zlib_inflated(ByteView stored, std::size_t bytes);

// Whether a file begins as gzip data do.
Result<bool> is_gzip_file(const Path& path);

// DEFLATE cannot expand data by more than this factor.
inline constexpr std::uint64_t max_deflate_ratio = 1032;

// A complete gzip file. The level is 1 to 9, as in zlib; the bytes depend on nothing but the input.
Bytes gzip_compressed(ByteView bytes, int level);
// The same as a zlib stream (RFC 1950).
Bytes zlib_compressed(ByteView bytes, int level);

}  // namespace fiducial
