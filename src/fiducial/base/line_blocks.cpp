#include "fiducial/base/line_blocks.h"

#include <algorithm>
#include <cstring>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;  // stays in the cache of a core

}  // namespace

Error too_long_line(std::size_t max_bytes) {
  return invalid_data("expected a line of at most " + decimal(max_bytes) + " bytes, found more");
}

LineBlocks::LineBlocks(ByteStream& stream, std::size_t max_line_bytes)
    : stream_(stream), max_line_bytes_(max_line_bytes) {}

// Moves what is left to the front; into a larger buffer where it fills this one, into another where somebody
// keeps this one.
void LineBlocks::make_room() {
  const std::size_t held = end_ - begin_;
  const bool is_full = capacity_ - held < block_bytes;
  if (is_full || buffer_.use_count() > 1) {
    if (is_full) capacity_ = std::max(2 * block_bytes, 2 * capacity_);
    auto moved = std::shared_ptr<char[]>(new char[capacity_]);
    if (held > 0) std::memcpy(moved.get(), buffer_.get() + begin_, held);
    buffer_ = std::move(moved);
  } else if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, held);
  }
  begin_ = 0;
  end_ = held;
}

Outcome LineBlocks::fill() {
  make_room();
  FIDUCIAL_TRY(const std::size_t got,
               stream_.read(std::as_writable_bytes(std::span(buffer_.get() + end_, block_bytes))));
  end_ += got;
  ended_ = got < block_bytes;
  return done();
}

Result<std::optional<std::string_view>> LineBlocks::next() {
  searched_ = 0;
  while (!ended_) {
    FIDUCIAL_TRY_DONE(fill());
    const void* last = ::memrchr(buffer_.get() + searched_, '\n', end_ - searched_);
    if (last != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.get()) + 1;
      begin_ = size;
      return std::optional(std::string_view(buffer_.get(), size));
    }
    searched_ = end_;
    if (end_ <= max_line_bytes_ + 1) continue;
    return too_long_line(max_line_bytes_);
  }
  if (begin_ == end_) return std::optional<std::string_view>();
  const std::string_view rest(buffer_.get() + begin_, end_ - begin_);
  begin_ = end_;
  return std::optional(rest);
}

}  // namespace fiducial
