#include "fiducial/image/picture_writer.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Picture ramp(int channels) {
  Picture out{.width = 37, .height = 23, .channels = channels, .values = {}};
  for (int y = 0; y < 23; ++y) {
    for (int x = 0; x < 37; ++x) {
      for (int c = 0; c < channels; ++c)
        out.values.push_back(static_cast<std::uint8_t>(4 * x + 3 * y + 20 * c));
    }
  }
  return out;
}

TEST(PictureWriter, writes_png_files_that_read_back_exactly) {
  for (const int channels : {1, 3, 4}) {
    const Picture picture = ramp(channels);
    EXPECT_EQ(sniffed_format(png_picture_file(picture)), PictureFormat::png);
    EXPECT_EQ(*decode_picture(png_picture_file(picture)), picture) << channels;
  }
}

TEST(PictureWriter, writes_jpeg_files_that_read_back_closely) {
  for (const int channels : {1, 3}) {
    const Picture picture = ramp(channels);
    const Bytes file = jpeg_file(picture, 90);
    EXPECT_EQ(file, jpeg_file(picture, 90));
    EXPECT_EQ(sniffed_format(file), PictureFormat::jpeg);
    const Picture read = *decode_picture(file);
    ASSERT_EQ(read.values.size(), picture.values.size());
    for (std::size_t i = 0; i < read.values.size(); ++i)
      EXPECT_LE(std::abs(read.values[i] - picture.values[i]), 12);
  }
}

}  // namespace
}  // namespace fiducial
