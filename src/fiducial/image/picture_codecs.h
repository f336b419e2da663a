#pragma once

#include "fiducial/image/picture.h"

namespace fiducial::picture_codecs {

// Each takes bytes of its own format and a shape check that is asked before anything is allocated.
using SizeCheck = Outcome (*)(std::int64_t width, std::int64_t height, std::size_t bytes);

Result<Picture> decode_jpeg(ByteView bytes, SizeCheck check);
Result<Picture> decode_png(ByteView bytes, SizeCheck check);
std::string versions();

}  // namespace fiducial::picture_codecs
