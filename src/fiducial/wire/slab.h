#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"

namespace fiducial::wire {

// Slices of a CT that travel together.
inline constexpr std::int64_t slab_slices = 16;

// Rows of `side` values as differences along the row, the first against 0, in zigzag order of 16 bits: all
// low bytes, then all high bytes. Of a CT most high bytes are 0, so that it deflates well and fast.
Bytes encode_slab(std::span<const std::int16_t> values, std::int64_t side);
// The inverse. Refuses an odd number of bytes and values that are no whole rows.
Result<std::vector<std::int16_t>> decode_slab(ByteView bytes, std::int64_t side);

// The same values as they are, little-endian.
Bytes raw_slab(std::span<const std::int16_t> values);

}  // namespace fiducial::wire
