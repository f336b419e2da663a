#include "fiducial/base/byte_stream.h"

#include <algorithm>

#include "fiducial/base/store.h"

namespace fiducial {

Result<std::unique_ptr<FileStream>> FileStream::open(const Path& path) {
  if (is_url(path)) {
    FIDUCIAL_TRY(Store* const store, store_of(path));
    FIDUCIAL_TRY(std::unique_ptr<StoredStream> stored, store->open_stream(path));
    const std::uint64_t size = stored->size();
    return std::unique_ptr<FileStream>(new FileStream(std::move(stored), size));
  }
  FIDUCIAL_TRY(OpenFile file, OpenFile::open(path).in_file(path.string()));
  FIDUCIAL_TRY(const std::uint64_t size, file.size().in_file(path.string()));
  return std::unique_ptr<FileStream>(new FileStream(std::move(file), size));
}

Result<std::size_t> FileStream::read(std::span<std::byte> out) {
  return stored_ != nullptr ? stored_->read(out) : file_.read(out);
}

Result<std::size_t> MemoryStream::read(std::span<std::byte> out) {
  const std::size_t count = std::min(out.size(), rest_.size());
  std::copy_n(rest_.begin(), count, out.begin());
  rest_ = rest_.subspan(count);
  return count;
}

Result<std::size_t> PrefixedStream::read(std::span<std::byte> out) {
  const std::size_t count = std::min(out.size(), prefix_.size() - used_);
  std::copy_n(prefix_.begin() + static_cast<std::ptrdiff_t>(used_), count, out.begin());
  used_ += count;
  if (count == out.size()) return count;
  FIDUCIAL_TRY(const std::size_t more, rest_->read(out.subspan(count)));
  return count + more;
}

Result<std::size_t> HashingStream::read(std::span<std::byte> out) {
  FIDUCIAL_TRY(const std::size_t count, upstream_->read(out));
  hash_.update(out.first(count));
  return count;
}

Result<Digest> HashingStream::finish() {
  Bytes buffer(std::size_t{64} << 10);
  for (;;) {
    FIDUCIAL_TRY(const std::size_t count, read(buffer));
    if (count == 0) return hash_.digest();
  }
}

}  // namespace fiducial
