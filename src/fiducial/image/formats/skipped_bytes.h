#pragma once

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

// Reads bytes that nobody wants; an end before the last of them is an error.
Outcome skip_bytes(ByteStream& bytes, std::uint64_t count);

// Refuses ranks that formats of three axes and channels do not hold, and four axes of which nobody says which
// one the channels are.
Outcome check_plain_axes(const VolumeContent& content);

}  // namespace fiducial
