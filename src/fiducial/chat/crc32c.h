#pragma once

#include <cstdint>
#include <string_view>

namespace fiducial {

// CRC-32C (Castagnoli, RFC 3720): the checksum of a journal's lines. Uses the processor's instruction where
// it has one.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace fiducial
