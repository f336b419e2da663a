#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fiducial::gzidx {

// The layout that indexed_gzip writes and reads, version 1, and behind it what binds it to its file.
inline constexpr std::string_view magic{"GZIDX\x01\x00", 7};
inline constexpr std::size_t head_bytes = 35;  // magic, sizes, spacing, bytes of a window, number of places
inline constexpr std::size_t place_bytes =
    18;  // offset in the gzip file, in what it holds, bits, whether a window
inline constexpr std::size_t window_bytes = 32768;
inline constexpr std::string_view binding_magic{"FIDUCIAL", 8};
inline constexpr std::size_t gzip_end_bytes = 8;  // checksum and length of the last member
// The magic, the end of the gzip file, its SHA-256; a CRC-32 a place; the SHA-256 of head, places and all
// this.
inline constexpr std::size_t binding_bytes = 8 + gzip_end_bytes + 32 + 32;

}  // namespace fiducial::gzidx
