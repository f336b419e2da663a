#include "fiducial/base/freed_memory.h"

#include <algorithm>
#include <climits>

#include <malloc.h>

namespace fiducial {

void keep_freed_memory(std::size_t most) {
#if defined(__GLIBC__)
  constexpr int largest_from_heap = 32 << 20;  // glibc takes no higher one
  mallopt(M_MMAP_THRESHOLD, largest_from_heap);
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min<std::size_t>(most, INT_MAX)));
#else
  static_cast<void>(most);
#endif
}

}  // namespace fiducial
