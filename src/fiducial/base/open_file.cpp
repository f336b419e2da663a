#include "fiducial/base/open_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "fiducial/base/interruption.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

constexpr std::size_t largest_piece = std::size_t{4} << 20;  // a few milliseconds
constexpr int new_file = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;

Result<OpenFile> opened(const Path& path, int flags, const char* doing) {
  const int descriptor = ::open(path.c_str(), flags, 0666);
  if (descriptor < 0) return system_error(doing, errno);
  return OpenFile(descriptor);
}

// Fills out by one call after another; read_piece(place, bytes, filled) is read or pread.
template <typename ReadPiece>
Result<std::size_t> read_pieces(std::span<std::byte> out, const ReadPiece& read_piece) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    if (call_given_up()) return given_up();
    const ssize_t got = read_piece(out.data() + filled, std::min(out.size() - filled, largest_piece), filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("read", errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

}  // namespace

Result<OpenFile> OpenFile::open(const Path& path) {
  // Without O_NONBLOCK a named pipe would wait for a writer that may never come.
  FIDUCIAL_TRY(OpenFile file, opened(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, "open"));
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0) return system_error("inspect", errno);
  if (!S_ISREG(status.st_mode)) return invalid_data("not a regular file").because(ErrorReason::path_not_file);
  return file;
}

Result<OpenFile> OpenFile::create(const Path& path) { return opened(path, new_file, "create"); }

Result<OpenFile> OpenFile::create_new(const Path& path) {
  return opened(path, new_file | O_EXCL | O_NOFOLLOW, "create");
}

Result<OpenFile> OpenFile::extend(const Path& path, std::uint64_t kept_bytes) {
  FIDUCIAL_TRY(OpenFile file, opened(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, "create"));
  if (::ftruncate(file.descriptor_, static_cast<off_t>(kept_bytes)) != 0 ||
      ::lseek(file.descriptor_, 0, SEEK_END) < 0) {
    return system_error("shorten", errno);
  }
  return file;
}

Result<OpenFile> OpenFile::unnamed() {
  std::error_code failure;
  const Path folder = std::filesystem::temp_directory_path(failure);
  std::string name = (folder / "fiducial-XXXXXX").string();
  const int descriptor = failure ? -1 : ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) {
    // Not system_error: nobody gave this path, so a folder that is missing is the machine's fault as well.
    if (!failure) failure = std::error_code(errno, std::generic_category());
    return Error(ErrorCode::io, "cannot make a temporary file: " + failure.message(),
                 Place{.path = folder.string()});
  }
  ::unlink(name.c_str());
  return OpenFile(descriptor);
}

Result<OpenFile> OpenFile::open_folder(const Path& path) {
  return opened(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, "open");
}

Result<std::uint64_t> OpenFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return system_error("inspect", errno);
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::size_t> OpenFile::read(std::span<std::byte> out) const {
  return read_pieces(
      out, [this](std::byte* to, std::size_t bytes, std::size_t) { return ::read(descriptor_, to, bytes); });
}

Result<std::size_t> OpenFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  return read_pieces(out, [this, offset](std::byte* to, std::size_t bytes, std::size_t filled) {
    return ::pread(descriptor_, to, bytes, static_cast<off_t>(offset + filled));
  });
}

Outcome OpenFile::write(ByteView bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return done();
}

Outcome OpenFile::flush() const {
  if (::fsync(descriptor_) != 0) return system_error("flush", errno);
  return done();
}

Outcome OpenFile::flush_file_system() const {
  if (::syncfs(descriptor_) != 0) return system_error("flush", errno);
  return done();
}

Outcome OpenFile::close() {
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!closed) return system_error("close", errno);
  return done();
}

void OpenFile::close_quietly() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace fiducial
