#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fiducial/base/bytes.h"

namespace fiducial::fuzz {

inline ByteView view(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(bytes), size};
}

// Stops the run when a promise of the library does not hold.
inline void require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace fiducial::fuzz
