#include "fiducial/image/header_lines.h"

#include <algorithm>

namespace fiducial {

namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 10;
constexpr std::uint64_t most_header_bytes = std::uint64_t{16} << 20;

}  // namespace

Result<std::optional<std::string>> HeaderLines::next() {
  std::size_t searched = begin_;
  for (;;) {
    const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(searched);
    const auto end = std::find(from, buffer_.end(), std::byte{'\n'});
    if (end != buffer_.end()) {
      const auto length = static_cast<std::size_t>(end - buffer_.begin()) - begin_;
      std::string out(as_text(ByteView(buffer_).subspan(begin_, length)));
      begin_ += length + 1;
      taken_ += length + 1;
      ++line_;
      if (out.ends_with('\r')) out.pop_back();
      return std::optional(std::move(out));
    }
    if (ended_ && begin_ == buffer_.size()) return std::optional<std::string>();
    if (ended_) return at_line("the header ends in the middle of the line after this one");
    if (taken_ + buffer_.size() - begin_ > most_header_bytes)
      return at_line("the header is longer than 16 MiB");
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
    begin_ = 0;
    searched = buffer_.size();
    buffer_.resize(searched + piece_bytes);
    FIDUCIAL_TRY(const std::size_t got, bytes_->read(std::span(buffer_).subspan(searched)));
    buffer_.resize(searched + got);
    ended_ = got < piece_bytes;
  }
}

std::unique_ptr<ByteStream> HeaderLines::rest() && {
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  return std::make_unique<PrefixedStream>(std::move(buffer_), std::move(bytes_));
}

Error HeaderLines::at_line(std::string message) const {
  return {ErrorCode::invalid_data, std::move(message), Place{.line = line_}};
}

}  // namespace fiducial
