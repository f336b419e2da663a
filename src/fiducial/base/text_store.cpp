#include "fiducial/base/text_store.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fiducial {

namespace {

using TextLength = std::uint32_t;

constexpr std::size_t recent_bytes = std::size_t{1} << 20;
constexpr std::size_t window_bytes = std::size_t{1} << 16;

}  // namespace

Result<TextStore::Id> TextStore::add(std::string_view text) {
  if (text.size() > std::numeric_limits<TextLength>::max()) return invalid_data("a text has 4 GiB or more");
  if (recent_.size() >= recent_bytes) FIDUCIAL_TRY_DONE(store_recent());
  const Id id = stored_ + recent_.size();
  const auto length = static_cast<TextLength>(text.size());
  recent_.append(reinterpret_cast<const char*>(&length), sizeof(length));
  recent_.append(text);
  return id;
}

Outcome TextStore::store_recent() {
  if (!file_.is_open()) {
    FIDUCIAL_TRY(file_, OpenFile::unnamed());
  }
  FIDUCIAL_TRY_DONE(file_.write(as_bytes(recent_)).context("keeping texts in a temporary file"));
  stored_ += recent_.size();
  recent_.clear();
  return done();
}

Result<std::string_view> TextStore::Reader::text(Id id) {
  FIDUCIAL_TRY(const std::string_view bytes, bytes_at(id, sizeof(TextLength)));
  TextLength length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  return bytes_at(id + sizeof(length), length);
}

Result<std::string_view> TextStore::Reader::bytes_at(std::uint64_t offset, std::size_t count) {
  if (offset >= store_.stored_) {
    FIDUCIAL_ASSERT(offset - store_.stored_ + count <= store_.recent_.size());
    return std::string_view(store_.recent_).substr(offset - store_.stored_, count);
  }
  if (offset < begin_ || offset + count > begin_ + window_.size()) {
    const std::uint64_t wanted = std::max<std::uint64_t>(count, window_bytes);
    window_.resize(std::min(wanted, store_.stored_ - offset));
    begin_ = offset;
    FIDUCIAL_TRY(const std::size_t got,
                 store_.file_.read_at(offset, std::as_writable_bytes(std::span(window_))));
    if (got < window_.size()) return Error(ErrorCode::io, "cannot read: a temporary file became shorter");
  }
  FIDUCIAL_ASSERT(offset + count <= begin_ + window_.size());
  return std::string_view(window_).substr(offset - begin_, count);
}

}  // namespace fiducial
