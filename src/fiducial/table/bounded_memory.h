#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "fiducial/base/file.h"

namespace arrow {
class MemoryPool;
}

namespace fiducial {

// Memory for what Arrow decodes of one file, bounded by the file's size: pages and dictionaries promise how
// large they are without their compression, and a small file may promise anything. What goes beyond fails
// with Arrow's OutOfMemory. Must outlive all that is allocated from it.
class BoundedMemory {
 public:
  static constexpr std::uint64_t least = std::uint64_t{512} << 20;
  static constexpr std::uint64_t times_the_file = 512;

  explicit BoundedMemory(const Path& file, std::optional<std::uint64_t> limit = std::nullopt);
  ~BoundedMemory();
  BoundedMemory(const BoundedMemory&) = delete;
  BoundedMemory& operator=(const BoundedMemory&) = delete;

  arrow::MemoryPool* pool();

 private:
  struct Pools;

  std::unique_ptr<Pools> pools_;
};

}  // namespace fiducial
