#include "fiducial/datasets/medthinkvqa/picture_file.h"

#include <gtest/gtest.h>

namespace fiducial::medthinkvqa {
namespace {

using namespace std::string_literals;

// Start, a frame, a scan with a stuffed 0xFF, the end.
const std::string jpeg = "\xFF\xD8\xFF\xC0\x00\x04\x08\x08\xFF\xDA\x00\x03\x01\x12\xFF\x00\x34\xFF\xD9"s;
// IHDR, IDAT and IEND of a grey picture of one pixel.
const std::string png =
    "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU"
    "\x00\x00\x00\nIDAT\x78\x9c\x63\x60\x00\x00\x00\x02\x00\x01\x48\xaf\xa4\x71"
    "\x00\x00\x00\x00IEND\xae\x42\x60\x82"s;

std::optional<std::string> damage(std::string_view bytes) { return picture_damage(as_bytes(bytes)); }

TEST(PictureFile, goes_by_bytes_and_not_by_names) {
  EXPECT_EQ(sniffed_format(as_bytes(jpeg)), PictureFormat::jpeg);
  EXPECT_EQ(sniffed_format(as_bytes(png)), PictureFormat::png);
  EXPECT_EQ(sniffed_format(as_bytes("RIFF\x01\x02\x03\x04WEBP"s)), PictureFormat::webp);
  EXPECT_EQ(sniffed_format(as_bytes("<html>")), PictureFormat::unknown);
}

TEST(PictureFile, accepts_whole_pictures_with_trailing_bytes) {
  EXPECT_EQ(damage(jpeg), std::nullopt);
  EXPECT_EQ(damage(jpeg + "padding"), std::nullopt);
  EXPECT_EQ(damage(png), std::nullopt);
}

TEST(PictureFile, finds_every_truncation) {
  for (std::size_t size = 0; size < jpeg.size(); ++size) EXPECT_TRUE(damage(jpeg.substr(0, size))) << size;
  for (std::size_t size = 0; size < png.size(); ++size) EXPECT_TRUE(damage(png.substr(0, size))) << size;
}

TEST(PictureFile, finds_a_png_chunk_with_a_wrong_checksum) {
  std::string bytes = png;
  bytes[45] = static_cast<char>(bytes[45] ^ 1);
  EXPECT_TRUE(damage(bytes));
}

TEST(PictureFile, refuses_a_jpeg_without_a_frame_or_a_scan) {
  EXPECT_TRUE(damage("\xFF\xD8\xFF\xDA\x00\x03\x01\x12\xFF\xD9"s));
  EXPECT_TRUE(damage("\xFF\xD8\xFF\xC0\x00\x04\x08\x08\xFF\xD9"s));
  EXPECT_TRUE(damage("\xFF\xD8\xFF\xC0\x00\x01\x08\x08\xFF\xD9"s));
}

}  // namespace
}  // namespace fiducial::medthinkvqa
