#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "fiducial/base/byte_stream.h"

namespace fiducial {

// Why a line is refused.
Error too_long_line(std::size_t max_bytes);

// A stream in blocks of whole lines, for readers that share the lines of a block between threads. Memory
// grows to one block and the longest line.
class LineBlocks {
 public:
  // The stream must outlive the reader. A line of more than max_line_bytes is refused when it does not fit
  // into a block; shorter ones are the caller's to measure.
  LineBlocks(ByteStream& stream, std::size_t max_line_bytes);

  // The next lines with their ends, valid until the next call; the last line of all may lack its end. Nothing
  // at the end of the stream. The blocks together are the stream, byte by byte.
  Result<std::optional<std::string_view>> next();
  // Keeps the lines that were returned last, for as long as it lives.
  std::shared_ptr<const void> held() const { return buffer_; }

 private:
  Outcome fill();
  void make_room();

  ByteStream& stream_;
  std::size_t max_line_bytes_;
  std::shared_ptr<char[]> buffer_;  // not cleared: it is written before it is read
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  // of what has not been returned
  std::size_t end_ = 0;
  std::size_t searched_ = 0;  // no line ends before this
  bool ended_ = false;
};

}  // namespace fiducial
