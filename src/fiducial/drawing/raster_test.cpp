#include "fiducial/drawing/raster.h"

#include <string_view>

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"
#include "fiducial/image/picture.h"

namespace fiducial {
namespace {

TEST(PngDataUri, holds_the_pixels_of_its_raster) {
  Raster raster = Raster::make(300, 7);
  for (std::size_t i = 0; i < raster.pixels.size(); ++i) raster.pixels[i] = static_cast<std::uint8_t>(i * 13);
  const std::string uri = png_data_uri(raster);
  constexpr std::string_view prefix = "data:image/png;base64,";
  ASSERT_TRUE(uri.starts_with(prefix));
  const auto read = decode_picture(base64_decoded(std::string_view(uri).substr(prefix.size())));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(*read, (Picture{.width = 300, .height = 7, .channels = 1, .values = raster.pixels}));
}

TEST(PngDataUri, depends_on_its_pixels_only) {
  Raster raster = Raster::make(9, 7);
  const std::string before = png_data_uri(raster);
  EXPECT_EQ(png_data_uri(raster), before);
  raster.at(8, 6) = 1;
  EXPECT_NE(png_data_uri(raster), before);
}

}  // namespace
}  // namespace fiducial
