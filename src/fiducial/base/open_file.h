#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "fiducial/base/bytes.h"
#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// An open file of the system, closed at the end of its life: the one place where files are opened, read,
// written and flushed. Calls that a signal cut short go on; what the system refuses is an Error
// (base/system_error.h). It names no path, as callers know the name that their users gave.
class OpenFile {
 public:
  // For reading; a regular file only. A named pipe is refused and not waited for.
  static Result<OpenFile> open(const Path& path);
  // For writing, from nothing.
  static Result<OpenFile> create(const Path& path);
  // As create, but of a name that nobody has: never through a link, never over a file.
  static Result<OpenFile> create_new(const Path& path);
  // For writing behind the first bytes, which are kept, of a file that is made where there is none.
  static Result<OpenFile> extend(const Path& path, std::uint64_t kept_bytes);
  // A temporary file without a name, for reading and writing.
  static Result<OpenFile> unnamed();
  // A folder, to flush the file system that holds it.
  static Result<OpenFile> open_folder(const Path& path);

  OpenFile() = default;
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close_quietly(); }

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  Result<std::uint64_t> size() const;
  // Fills out unless the file ends first; returns how many bytes were read.
  Result<std::size_t> read(std::span<std::byte> out) const;
  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> out) const;
  // All of the bytes, or an error.
  Outcome write(ByteView bytes) const;
  // Puts the file on disk.
  Outcome flush() const;
  // Puts all that was written to its file system on disk.
  Outcome flush_file_system() const;
  // Some file systems tell of a failed write at the end only.
  Outcome close();

 private:
  void close_quietly();

  int descriptor_ = -1;
};

}  // namespace fiducial
