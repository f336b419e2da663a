#include "fiducial/report/png_image.h"

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"

namespace fiducial {
namespace {

TEST(Base64, agrees_with_the_examples_of_its_standard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : examples) EXPECT_EQ(base64(as_bytes(plain)), coded);
}

TEST(Base64, reads_back_as_the_bytes_it_was_made_of) {
  Bytes bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<std::byte>(i * 7));
  EXPECT_EQ(base64_decoded(base64(bytes)), bytes);
}

TEST(PngFile, has_the_signature_and_the_size_of_its_picture) {
  const Bytes file = png_file(Raster::make(300, 2));
  EXPECT_EQ(as_text(ByteView(file).subspan(1, 3)), "PNG");
  EXPECT_EQ(as_text(ByteView(file).subspan(12, 4)), "IHDR");
  EXPECT_EQ(byte_swapped(load<std::uint32_t>(file, 16)), 300U);
  EXPECT_EQ(byte_swapped(load<std::uint32_t>(file, 20)), 2U);
  EXPECT_EQ(as_text(ByteView(file).last(8).first(4)), "IEND");
}

TEST(PngFile, depends_on_its_pixels_only) {
  Raster picture = Raster::make(9, 7);
  const Bytes before = png_file(picture);
  EXPECT_EQ(png_file(picture), before);
  picture.at(8, 6) = 1;
  EXPECT_NE(png_file(picture), before);
}

}  // namespace
}  // namespace fiducial
