#include "fiducial/drawing/thumbnail.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(Thumbnail, averages_whole_blocks) {
  const Picture picture{.width = 4, .height = 2, .channels = 1, .values = {0, 2, 10, 10, 4, 6, 10, 10}};
  const Picture small = thumbnail(picture, 2);
  EXPECT_EQ(small, (Picture{.width = 2, .height = 1, .channels = 1, .values = {3, 10}}));
}

TEST(Thumbnail, keeps_a_small_picture_and_drops_transparency) {
  const Picture picture{.width = 1, .height = 1, .channels = 4, .values = {1, 2, 3, 4}};
  EXPECT_EQ(thumbnail(picture, 240), (Picture{.width = 1, .height = 1, .channels = 3, .values = {1, 2, 3}}));
}

TEST(Thumbnail, of_a_very_long_picture_is_not_empty) {
  const Picture picture{.width = 1000, .height = 1, .channels = 1, .values = std::vector<std::uint8_t>(1000)};
  const Picture small = thumbnail(picture, 10);
  EXPECT_EQ(small.width, 10);
  EXPECT_EQ(small.height, 1);
}

}  // namespace
}  // namespace fiducial
