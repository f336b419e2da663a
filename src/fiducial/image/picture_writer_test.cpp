#include "fiducial/image/picture_writer.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "fiducial/base/sha256.h"

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

TEST(PictureWriter, writes_stable_png_files_that_read_back_exactly) {
  for (const int channels : {1, 3, 4}) {
    const Picture picture = ramp(channels);
    EXPECT_EQ(*decode_picture(stable_png_file(picture)), picture) << channels;
  }
  Picture noise{.width = 400, .height = 300, .channels = 1, .values = {}};
  std::uint32_t state = 7;
  for (int i = 0; i < 400 * 300; ++i) {
    state = state * 1'664'525U + 1'013'904'223U;
    noise.values.push_back(
        static_cast<std::uint8_t>(i % 7 == 0 ? static_cast<int>(state >> 24U) : i / 4'000));
  }
  const Bytes file = stable_png_file(noise);
  EXPECT_EQ(*decode_picture(file), noise);
  EXPECT_LT(file.size(), noise.values.size() / 2);
}

TEST(PictureWriter, writes_stable_png_files_of_the_same_bytes_everywhere) {
  EXPECT_EQ(sha256(stable_png_file(ramp(1))).hex(),
            "c3e9a744219dcaa101dbbe71abb6a5e1650280f3b23a159e02212a9e1b6f1d0e");
  EXPECT_EQ(sha256(jpeg_file(ramp(1), 90)).hex(),
            "b667556ab3611cfbc68a38d8f9ae49ba75a113c928afcebaa216f8a416d93565");
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
