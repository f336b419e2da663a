#pragma once

#include <cstddef>
#include <string>

#include "fiducial/base/bytes.h"

namespace fiducial {

// Bytes as base64 (RFC 4648), without line breaks.
std::string base64(ByteView bytes);
void append_base64(std::string& out, ByteView bytes);
constexpr std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

}  // namespace fiducial
