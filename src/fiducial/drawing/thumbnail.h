#pragma once

#include <cstdint>
#include <string>

#include "fiducial/image/picture.h"

namespace fiducial {

// Averages blocks of pixels until neither side is longer than longest. Grey and RGB stay what they are;
// transparency is dropped.
Picture thumbnail(const Picture& picture, std::int64_t longest);

// A picture as a JPEG that a page can hold in an attribute.
std::string jpeg_data_uri(const Picture& picture);

}  // namespace fiducial
