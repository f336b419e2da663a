#pragma once

#include "fiducial/base/bytes.h"

namespace fiducial {

// Bytes as a zlib stream (RFC 1950), smaller where they repeat. Our own arithmetic on integers alone: equal
// bytes give equal streams on every machine and with every version of any library.
Bytes zlib_compressed(ByteView bytes);

}  // namespace fiducial
