#include "fiducial/archive/byte_source.h"

#include <algorithm>

#include "fiducial/base/store.h"

namespace fiducial {

Result<std::unique_ptr<FileSource>> FileSource::open(const Path& path) {
  if (is_url(path)) {
    FIDUCIAL_TRY(Store* const store, store_of(path));
    FIDUCIAL_TRY(std::unique_ptr<StoredObject> stored, store->open_object(path));
    const std::uint64_t size = stored->size();
    return std::unique_ptr<FileSource>(
        new FileSource(std::shared_ptr<StoredObject>(std::move(stored)), size));
  }
  FIDUCIAL_TRY(OpenFile file, OpenFile::open(path).in_file(path.string()));
  FIDUCIAL_TRY(const std::uint64_t size, file.size().in_file(path.string()));
  return std::unique_ptr<FileSource>(new FileSource(std::move(file), size));
}

Result<std::size_t> FileSource::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  return stored_ != nullptr ? stored_->read_at(offset, out) : file_.read_at(offset, out);
}

Result<std::size_t> MemorySource::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset >= bytes_.size()) return std::size_t{0};
  const ByteView rest = bytes_.subspan(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(out.size(), rest.size());
  std::copy_n(rest.begin(), count, out.begin());
  return count;
}

Result<std::size_t> SourceStream::read(std::span<std::byte> out) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), left_));
  FIDUCIAL_TRY(const std::size_t got, source_->read_at(at_, out.first(wanted)));
  at_ += got;
  left_ -= got;
  return got;
}

}  // namespace fiducial
