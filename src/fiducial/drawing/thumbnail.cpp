#include "fiducial/drawing/thumbnail.h"

#include <algorithm>

#include "fiducial/base/base64.h"
#include "fiducial/image/picture_writer.h"

namespace fiducial {

namespace {

constexpr int thumbnail_quality = 82;

}  // namespace

Picture thumbnail(const Picture& picture, std::int64_t longest) {
  const std::int64_t side = std::max(picture.width, picture.height);
  const std::int64_t step = std::max<std::int64_t>(1, (side + longest - 1) / longest);
  Picture out{.width = std::max<std::int64_t>(1, picture.width / step),
              .height = std::max<std::int64_t>(1, picture.height / step),
              .channels = std::min(picture.channels, 3),
              .values = {}};
  out.values.reserve(static_cast<std::size_t>(out.width * out.height * out.channels));
  const auto value_at = [&picture](std::int64_t x, std::int64_t y, int channel) -> std::int64_t {
    return picture.values[static_cast<std::size_t>((y * picture.width + x) * picture.channels + channel)];
  };
  for (std::int64_t y = 0; y < out.height; ++y) {
    for (std::int64_t x = 0; x < out.width; ++x) {
      const std::int64_t right = std::min((x + 1) * step, picture.width);
      const std::int64_t bottom = std::min((y + 1) * step, picture.height);
      for (int channel = 0; channel < out.channels; ++channel) {
        std::int64_t sum = 0;
        for (std::int64_t row = y * step; row < bottom; ++row) {
          for (std::int64_t column = x * step; column < right; ++column)
            sum += value_at(column, row, channel);
        }
        const std::int64_t count = (right - x * step) * (bottom - y * step);
        out.values.push_back(static_cast<std::uint8_t>(sum / count));
      }
    }
  }
  return out;
}

std::string jpeg_data_uri(const Picture& picture) {
  return "data:image/jpeg;base64," + base64(jpeg_file(picture, thumbnail_quality));
}

}  // namespace fiducial
