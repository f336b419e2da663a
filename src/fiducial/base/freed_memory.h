#pragma once

#include <cstddef>

namespace fiducial {

// Lets this process keep up to so many freed bytes for its next allocations instead of handing their pages
// back each time: large buffers that come and go then cost no page faults. For programs, not for the library.
void keep_freed_memory(std::size_t most);

}  // namespace fiducial
