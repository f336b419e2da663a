#pragma once

#include "fiducial/base/bytes.h"
#include "fiducial/image/picture.h"

namespace fiducial {

// A picture of 1 or 3 channels as a baseline JPEG file. One build gives the same bytes every time.
Bytes jpeg_file(const Picture& picture, int quality);

// A picture of 1, 3 or 4 channels as a PNG file.
Bytes png_picture_file(const Picture& picture);

// The same by our own writer: equal pictures give equal bytes on every machine and with every library, so the
// hash of what a model was shown can be made again anywhere.
Bytes stable_png_file(const Picture& picture);

}  // namespace fiducial
