#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

#include "fiducial/base/file.h"

#include "fuzz_input.h"

namespace fiducial::fuzz {

// Bytes as a file that lies in memory, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0);
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      require(written > 0);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  Path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

// A folder of this process in memory, for readers of several files; the same one for every input.
inline const Path& folder() {
  static const Path made = [] {
    std::string name = "/dev/shm/fiducial-fuzz-XXXXXX";
    require(::mkdtemp(name.data()) != nullptr);
    return Path(name);
  }();
  static const struct Remover {
    ~Remover() {
      std::error_code ignored;
      std::filesystem::remove_all(made, ignored);
    }
  } remover;
  return made;
}

inline void put(const Path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace fiducial::fuzz
