#include "fiducial/base/line_reader.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

Error LineReader::too_long() const {
  return {ErrorCode::invalid_data, "expected a line of at most " + decimal(max_bytes_) + " bytes, found more",
          Place{.line = number_ + 1}};
}

// Moves what is left to the front and appends another piece; false at the end of the stream.
Result<bool> LineReader::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t held = buffer_.size();
  buffer_.resize(held + piece_bytes);
  FIDUCIAL_TRY(const std::size_t got,
               stream_.read(std::as_writable_bytes(std::span(buffer_.data() + held, piece_bytes))));
  buffer_.resize(held + got);
  ended_ = got < piece_bytes;
  return got > 0;
}

Result<std::optional<std::string_view>> LineReader::next() {
  std::size_t searched = begin_;
  std::size_t end = buffer_.find('\n', searched);
  while (end == std::string::npos && !ended_) {
    // A carriage return may still follow the longest line.
    if (buffer_.size() - begin_ > max_bytes_ + 1) return too_long();
    searched = buffer_.size() - begin_;
    FIDUCIAL_TRY_DONE(refill());
    end = buffer_.find('\n', searched);
  }
  if (end == std::string::npos && begin_ == buffer_.size()) return std::optional<std::string_view>();
  std::string_view line = std::string_view(buffer_).substr(
      begin_, end == std::string::npos ? std::string_view::npos : end - begin_);
  begin_ = end == std::string::npos ? buffer_.size() : end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (number_ == 0 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (line.size() > max_bytes_) return too_long();
  ++number_;
  return std::optional(line);
}

}  // namespace fiducial
