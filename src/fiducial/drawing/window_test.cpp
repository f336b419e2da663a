#include "fiducial/drawing/window.h"

#include <limits>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(Window, draws_from_black_to_white_and_stops_there) {
  EXPECT_EQ(lung_window.grey(-3000), 0);
  EXPECT_EQ(lung_window.grey(-1350), 0);
  EXPECT_EQ(lung_window.grey(-600), 128);
  EXPECT_EQ(lung_window.grey(150), 255);
  EXPECT_EQ(lung_window.grey(30000), 255);
}

TEST(Window, draws_what_is_no_number_black) {
  EXPECT_EQ(lung_window.grey(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(lung_window.grey(std::numeric_limits<float>::infinity()), 255);
}

TEST(Window, shows_effusions_in_soft_tissue_and_all_else_as_lung) {
  EXPECT_EQ(window_of("2e").name, "soft tissue window");
  EXPECT_EQ(window_of("2d").name, "lung window");
  EXPECT_EQ(window_of("").name, "lung window");
}

}  // namespace
}  // namespace fiducial
