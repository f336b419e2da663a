#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/bytes.h"

namespace fiducial::medthinkvqa {

enum class PictureFormat { jpeg, png, gif, bmp, webp, tiff, unknown };
std::string_view to_string(PictureFormat format);

// What a file is by its first bytes, whatever its name says.
PictureFormat sniffed_format(ByteView bytes);

// Why the file cannot be a whole picture, or nothing. JPEG: markers from start to end of image, with a frame
// and a scan. PNG: chunks with their checksums from IHDR to IEND. Pixels are not decoded.
std::optional<std::string> picture_damage(ByteView bytes);

}  // namespace fiducial::medthinkvqa
