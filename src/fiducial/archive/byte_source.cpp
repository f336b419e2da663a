#include "fiducial/archive/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fiducial {

Result<std::unique_ptr<FileSource>> FileSource::open(const Path& path) {
  const auto failure = [&path](const std::string& message) {
    return Error(ErrorCode::invalid_data, message, Place{.path = path.string()});
  };
  // Without O_NONBLOCK a named pipe would wait for a writer that may never come.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failure(std::string("cannot open: ") + std::strerror(errno));
  std::unique_ptr<FileSource> source(new FileSource(descriptor, 0));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    return failure(std::string("cannot inspect: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return failure("not a regular file");
  source->size_ = static_cast<std::uint64_t>(status.st_size);
  return source;
}

FileSource::~FileSource() { ::close(descriptor_); }

Result<std::size_t> FileSource::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const ssize_t got =
        ::pread(descriptor_, out.data() + filled, out.size() - filled, static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return invalid_data(std::string("cannot read: ") + std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

Result<std::size_t> MemorySource::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset >= bytes_.size()) return std::size_t{0};
  const ByteView rest = bytes_.subspan(static_cast<std::size_t>(offset));
  const std::size_t count = std::min(out.size(), rest.size());
  std::copy_n(rest.begin(), count, out.begin());
  return count;
}

}  // namespace fiducial
