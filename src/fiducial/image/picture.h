#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"

namespace fiducial {

enum class PictureFormat { jpeg, png, gif, bmp, webp, tiff, unknown };
std::string_view to_string(PictureFormat format);

// What a file is by its first bytes, whatever its name says.
PictureFormat sniffed_format(ByteView bytes);

// The formats that decode_picture reads.
inline bool is_decodable(PictureFormat format) {
  return format == PictureFormat::jpeg || format == PictureFormat::png;
}

// A decoded two-dimensional image: rows from the top, 8 bits a value, 1 (grey), 3 (RGB) or 4 (RGBA) values a
// pixel.
struct Picture {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int channels = 0;
  std::vector<std::uint8_t> values;

  friend bool operator==(const Picture&, const Picture&) = default;
};

// The most pixels a picture may have.
inline constexpr std::int64_t max_picture_pixels = std::int64_t{64} << 20;

// Decodes JPEG and PNG. Refuses what is cut short or damaged, sizes over the limit, and headers that promise
// more pixels than the bytes could hold: that is looked at before anything is allocated. CMYK becomes RGB, 16
// bits become 8, palettes and transparency become RGB and alpha.
Result<Picture> decode_picture(ByteView bytes);

// Which decoders these are. Decoded pixels may differ between versions, so who keeps a hash of pixels keeps
// this too.
std::string picture_decoders();

}  // namespace fiducial
