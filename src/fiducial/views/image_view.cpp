#include "fiducial/views/image_view.h"

#include <algorithm>

#include "fiducial/image/picture_writer.h"
#include "fiducial/views/area_average.h"

namespace fiducial {

namespace {

// Grey or colour, transparent pixels mixed with a grey behind them.
Picture on_background(const Picture& picture, std::uint8_t grey) {
  Picture out{.width = picture.width, .height = picture.height, .channels = 3};
  for (std::size_t i = 0; i < picture.values.size(); i += 4) {
    const int alpha = picture.values[i + 3];
    for (std::size_t c = 0; c < 3; ++c)
      out.values.push_back(static_cast<std::uint8_t>(
          (2 * (picture.values[i + c] * alpha + grey * (255 - alpha)) + 255) / 510));
  }
  return out;
}

void window_greys(const GreyWindow& window, Picture& picture) {
  const auto width = static_cast<int>(window.white - window.black);
  for (std::size_t i = 0; i < picture.values.size(); ++i) {
    if (picture.channels == 4 && i % 4 == 3) continue;
    const int above = std::clamp(picture.values[i] - static_cast<int>(window.black), 0, width);
    picture.values[i] = static_cast<std::uint8_t>((2 * above * 255 + width) / (2 * width));
  }
}

Picture no_longer_than(const Picture& picture, std::int64_t longest_px) {
  const std::int64_t longest = std::max(picture.width, picture.height);
  if (longest_px == 0 || longest <= longest_px) return picture;
  const auto pixels = [&](std::int64_t side) {
    return std::max<std::int64_t>(1, (2 * side * longest_px + longest) / (2 * longest));
  };
  Picture out{.width = pixels(picture.width), .height = pixels(picture.height), .channels = picture.channels};
  const auto channels = static_cast<std::size_t>(picture.channels);
  out.values.resize(static_cast<std::size_t>(out.width * out.height) * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    std::vector<std::int32_t> values;
    for (std::size_t i = c; i < picture.values.size(); i += channels) values.push_back(picture.values[i]);
    const AreaSums means = area_sums(values, {picture.width, picture.height}, {out.width, out.height});
    for (std::size_t i = 0; i < means.sums.size(); ++i)
      out.values[i * channels + c] =
          static_cast<std::uint8_t>((2 * means.sums[i] + means.weight) / (2 * means.weight));
  }
  return out;
}

}  // namespace

Result<Bytes> viewed_image(const ViewPolicy& policy, ByteView file) {
  if (policy.changes_nothing()) return Bytes(file.begin(), file.end());
  FIDUCIAL_TRY(Picture picture, decode_picture(file));
  if (picture.channels == 4 && policy.background) picture = on_background(picture, *policy.background);
  if (policy.grey_window) window_greys(*policy.grey_window, picture);
  picture = no_longer_than(picture, policy.longest_px);
  if (policy.codec.format == PictureCodec::Format::png) return stable_png_file(picture);
  if (picture.channels == 4)
    return invalid_data(
        "the image has transparent pixels, which JPEG has none of, and the policy no background");
  return jpeg_file(picture, policy.codec.quality);
}

}  // namespace fiducial
