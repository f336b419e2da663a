#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The lines of a text header in front of binary data. What follows the last line that was taken is left.
class HeaderLines {
 public:
  explicit HeaderLines(std::unique_ptr<ByteStream> bytes) : bytes_(std::move(bytes)) {}

  // The next line without its end (LF or CRLF); nothing at the end of the stream. Refuses headers of more
  // than 16 MiB and a last line without an end.
  Result<std::optional<std::string>> next();
  std::uint64_t line() const { return line_; }  // the number of the last one, from 1
  std::uint64_t taken_bytes() const { return taken_; }
  std::unique_ptr<ByteStream> rest() &&;

  // An error at the last line.
  Error at_line(std::string message) const;

 private:
  std::unique_ptr<ByteStream> bytes_;
  Bytes buffer_;
  std::size_t begin_ = 0;
  std::uint64_t line_ = 0;
  std::uint64_t taken_ = 0;
  bool ended_ = false;
};

}  // namespace fiducial
