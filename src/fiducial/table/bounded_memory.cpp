#include "fiducial/table/bounded_memory.h"

#include <algorithm>
#include <limits>
#include <system_error>

namespace fiducial {

namespace {

std::int64_t memory_for(const Path& file) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::error_code failed;
  const std::uint64_t size = std::filesystem::file_size(file, failed);
  if (failed) return static_cast<std::int64_t>(BoundedMemory::least);
  const std::uint64_t limit = size > most / BoundedMemory::times_the_file / 2
                                  ? most
                                  : BoundedMemory::least + BoundedMemory::times_the_file * size;
  return static_cast<std::int64_t>(limit);
}

}  // namespace

BoundedMemory::BoundedMemory(const Path& file, std::optional<std::uint64_t> limit)
    : counted_(arrow::default_memory_pool()),
      capped_(&counted_, limit ? static_cast<std::int64_t>(*limit) : memory_for(file)) {}

}  // namespace fiducial
