#include "fiducial/table/bounded_memory.h"

#include <limits>

#include <arrow/memory_pool.h>

#include "fiducial/base/paths.h"

namespace fiducial {

namespace {

std::int64_t memory_for(const Path& file) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const Result<std::uint64_t> found = stored_size(file);
  if (!found.ok()) return static_cast<std::int64_t>(BoundedMemory::least);
  const std::uint64_t size = *found;
  const std::uint64_t limit = size > most / BoundedMemory::times_the_file / 2
                                  ? most
                                  : BoundedMemory::least + BoundedMemory::times_the_file * size;
  return static_cast<std::int64_t>(limit);
}

}  // namespace

struct BoundedMemory::Pools {
  explicit Pools(std::int64_t limit) : counted(arrow::default_memory_pool()), capped(&counted, limit) {}

  arrow::ProxyMemoryPool counted;  // counts what this file takes, among others
  arrow::CappedMemoryPool capped;
};

BoundedMemory::BoundedMemory(const Path& file, std::optional<std::uint64_t> limit)
    : pools_(std::make_unique<Pools>(limit ? static_cast<std::int64_t>(*limit) : memory_for(file))) {}

BoundedMemory::~BoundedMemory() = default;

arrow::MemoryPool* BoundedMemory::pool() { return &pools_->capped; }

}  // namespace fiducial
