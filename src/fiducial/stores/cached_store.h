#pragma once

#include <cstdint>
#include <memory>

#include "fiducial/base/store.h"

namespace fiducial {

// A folder of this machine that keeps what was read of buckets.
struct CacheSettings {
  Path folder;  // empty: nothing is kept
  std::uint64_t most_bytes = std::uint64_t{100} << 30;
};

// Another store, of which whole objects that were streamed to their end are kept in a folder, and of archives
// the blocks that were read.
//
// A file is named by the hash of what the store says of the object: URL, size and time of change. So an
// object that changed is another one, and each opening costs one question. Processes share a folder: a file
// gets its name once it is whole, and may go at any time: those that were not read for longest go first. A
// folder that cannot be written is no error.
std::unique_ptr<Store> cached_store(std::unique_ptr<Store> store, CacheSettings settings);

}  // namespace fiducial
