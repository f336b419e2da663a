#include "fiducial/base/text_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <unistd.h>

namespace fiducial {

namespace {

using TextLength = std::uint32_t;

constexpr std::size_t recent_bytes = std::size_t{1} << 20;
constexpr std::size_t window_bytes = std::size_t{1} << 16;

Error store_error(const char* doing) {
  return {ErrorCode::unavailable,
          std::string("cannot ") + doing + " a temporary file: " + std::strerror(errno)};
}

Result<int> open_unnamed_file() {
  std::error_code failure;
  std::string name = (std::filesystem::temp_directory_path(failure) / "fiducial-XXXXXX").string();
  const int descriptor = failure ? -1 : ::mkstemp(name.data());
  if (descriptor < 0) return store_error("make");
  ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

TextStore& TextStore::operator=(TextStore&& other) noexcept {
  std::swap(recent_, other.recent_);
  std::swap(stored_, other.stored_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

TextStore::~TextStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

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
  if (descriptor_ < 0) {
    FIDUCIAL_TRY(descriptor_, open_unnamed_file());
  }
  for (std::string_view rest = recent_; !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return store_error("write");
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
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
    for (std::size_t at = 0; at < window_.size();) {
      const ssize_t got = ::pread(store_.descriptor_, window_.data() + at, window_.size() - at,
                                  static_cast<off_t>(offset + at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return store_error("read");
      at += static_cast<std::size_t>(got);
    }
  }
  FIDUCIAL_ASSERT(offset + count <= begin_ + window_.size());
  return std::string_view(window_).substr(offset - begin_, count);
}

}  // namespace fiducial
