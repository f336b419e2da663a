#include "fiducial/base/byte_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fiducial/base/interruption.h"

namespace fiducial {

namespace {

constexpr std::size_t largest_piece = std::size_t{4} << 20;  // a few milliseconds

}  // namespace

Result<std::unique_ptr<FileStream>> FileStream::open(const Path& path) {
  const auto failure = [&path](const std::string& message) {
    return Error(ErrorCode::invalid_data, message, Place{.path = path.string()});
  };
  // Without O_NONBLOCK a named pipe would wait for a writer that may never come.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failure(std::string("cannot open: ") + std::strerror(errno));
  std::unique_ptr<FileStream> stream(new FileStream(descriptor, 0));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    return failure(std::string("cannot inspect: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return failure("not a regular file");
  stream->size_ = static_cast<std::uint64_t>(status.st_size);
  return stream;
}

FileStream::~FileStream() { ::close(descriptor_); }

Result<std::size_t> FileStream::read(std::span<std::byte> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    if (call_given_up()) return given_up();
    const ssize_t got =
        ::read(descriptor_, out.data() + filled, std::min(out.size() - filled, largest_piece));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return invalid_data(std::string("cannot read: ") + std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

Result<std::size_t> MemoryStream::read(std::span<std::byte> out) {
  const std::size_t count = std::min(out.size(), rest_.size());
  std::copy_n(rest_.begin(), count, out.begin());
  rest_ = rest_.subspan(count);
  return count;
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
