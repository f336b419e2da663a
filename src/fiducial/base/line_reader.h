#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/byte_stream.h"

namespace fiducial {

// The lines of a stream, one at a time, in memory that grows to the longest line and no further.
//
// Lines end at LF alone; a CR before it and a byte order mark before the first line are dropped.
class LineReader {
 public:
  // The stream must outlive the reader. A line of more than max_bytes is refused.
  LineReader(ByteStream& stream, std::size_t max_bytes) : stream_(stream), max_bytes_(max_bytes) {}

  // The next line without its end, valid until the next call; nothing at the end of the stream.
  Result<std::optional<std::string_view>> next();
  std::uint64_t number() const { return number_; }  // of the line that was returned last, from 1

 private:
  Result<bool> refill();
  Error too_long() const;

  ByteStream& stream_;
  std::size_t max_bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what has not been returned yet
  std::uint64_t number_ = 0;
  bool ended_ = false;
};

}  // namespace fiducial
