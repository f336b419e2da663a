#pragma once

#include <string>

#include "fiducial/base/bytes.h"

namespace fiducial {

// Bytes as base64 (RFC 4648), without line breaks.
std::string base64(ByteView bytes);

}  // namespace fiducial
