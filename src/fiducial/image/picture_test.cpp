#include "fiducial/image/picture.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/image/picture_hash.h"
#include "fiducial/image/text_overlay.h"

namespace fiducial {
namespace {

// clang-format off
// Four blocks of 8 x 8: 40 and 200, below 120 and 128.
constexpr std::uint8_t jpeg_bytes[] = {
    255, 216, 255, 219, 0, 67, 0, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
    8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
    8, 8, 8, 8, 255, 192, 0, 11, 8, 0, 16, 0, 16, 1, 1, 17, 0, 255, 196, 0, 31, 0, 0, 0, 0, 12, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255, 196, 0, 20, 16, 1, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 218, 0, 8, 1, 1, 0, 0, 63, 0, 116, 232, 160, 58, 242, 67, 255, 217};
// 3 x 2 pixels with alpha 128.
constexpr std::uint8_t png_bytes[] = {
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0,
    157, 116, 102, 26, 0, 0, 0, 30, 73, 68, 65, 84, 120, 156, 99, 224, 226, 226, 106, 248, 245, 235, 87,
    131, 156, 156, 92, 3, 3, 16, 52, 128, 192, 255, 255, 255, 27, 0, 121, 25, 10, 228, 109, 247, 254, 26, 0,
    0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130};
// clang-format on

Bytes jpeg() {
  const auto view = std::as_bytes(std::span(jpeg_bytes));
  return {view.begin(), view.end()};
}

Bytes png() {
  const auto view = std::as_bytes(std::span(png_bytes));
  return {view.begin(), view.end()};
}

// Smooth blobs in grey, the same for the same seed.
Picture scene(std::uint64_t seed, std::int64_t size = 96, std::int64_t shift = 0) {
  Random random(seed);
  Picture out{.width = size, .height = size, .channels = 1};
  out.values.assign(static_cast<std::size_t>(size * size), 60);
  for (int blob = 0; blob < 12; ++blob) {
    const double x = random.uniform() + static_cast<double>(shift) / static_cast<double>(size);
    const double y = random.uniform();
    const double radius = random.uniform(0.05, 0.2);
    const auto value = static_cast<std::uint8_t>(random.below(200));
    for (std::int64_t row = 0; row < size; ++row) {
      for (std::int64_t column = 0; column < size; ++column) {
        const double dx = static_cast<double>(column) / static_cast<double>(size) - x;
        const double dy = static_cast<double>(row) / static_cast<double>(size) - y;
        if (dx * dx + dy * dy < radius * radius)
          out.values[static_cast<std::size_t>(row * size + column)] = value;
      }
    }
  }
  return out;
}

int bits_apart(const Picture& a, const Picture& b) {
  return std::popcount(*perceptual_hash(a) ^ *perceptual_hash(b));
}

TEST(Picture, is_known_by_its_bytes_and_not_by_a_name) {
  EXPECT_EQ(sniffed_format(jpeg()), PictureFormat::jpeg);
  EXPECT_EQ(sniffed_format(png()), PictureFormat::png);
  EXPECT_EQ(sniffed_format(as_bytes("RIFF....WEBP")), PictureFormat::webp);
  EXPECT_EQ(sniffed_format(as_bytes("<html>")), PictureFormat::unknown);
}

TEST(Picture, is_decoded_from_jpeg) {
  const auto picture = decode_picture(jpeg());
  ASSERT_TRUE(picture.ok()) << picture.error().text();
  EXPECT_EQ(picture->width, 16);
  EXPECT_EQ(picture->height, 16);
  EXPECT_EQ(picture->channels, 1);
  EXPECT_EQ(picture->values[0], 40);
  EXPECT_EQ(picture->values[15], 200);
  EXPECT_EQ(picture->values[16 * 15], 120);
}

TEST(Picture, is_decoded_from_png_with_alpha) {
  const auto picture = decode_picture(png());
  ASSERT_TRUE(picture.ok()) << picture.error().text();
  EXPECT_EQ(picture->channels, 4);
  EXPECT_EQ(picture->values[4], 250);
  EXPECT_EQ(picture->values[7], 128);
  EXPECT_EQ(grey(*picture).values[1], 125);  // over black
}

TEST(Picture, is_refused_when_it_is_cut_short_anywhere) {
  for (const Bytes& whole : {jpeg(), png()}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(decode_picture(ByteView(whole).first(size)).ok()) << size;
    }
  }
}

TEST(Picture, is_refused_or_decoded_but_never_worse_when_bytes_are_changed) {
  Random random(3);
  for (int i = 0; i < 4000; ++i) {
    Bytes bytes = i % 2 == 0 ? jpeg() : png();
    for (int edits = 0; edits < 3; ++edits)
      bytes[random.below(bytes.size())] = static_cast<std::byte>(random.below(256));
    const auto picture = decode_picture(bytes);
    if (!picture.ok()) continue;
    EXPECT_EQ(picture->values.size(),
              static_cast<std::size_t>(picture->width * picture->height * picture->channels));
  }
}

TEST(Picture, is_refused_before_memory_is_taken_when_it_promises_too_much) {
  Bytes bytes = jpeg();
  const auto frame =
      std::search(bytes.begin(), bytes.end(), std::begin("\xFF\xC0"), std::begin("\xFF\xC0") + 2,
                  [](std::byte a, char b) { return a == static_cast<std::byte>(b); });
  ASSERT_NE(frame, bytes.end());
  for (int i = 5; i < 9; ++i) frame[i] = std::byte{0xF0};
  const auto picture = decode_picture(bytes);
  ASSERT_FALSE(picture.ok());
  EXPECT_NE(picture.error().message().find("61680 x 61680"), std::string::npos) << picture.error().message();
}

TEST(PixelDigest, is_the_same_however_pixels_are_stored) {
  const Picture one{.width = 1, .height = 2, .channels = 1, .values = {7, 9}};
  const Picture three{.width = 1, .height = 2, .channels = 3, .values = {7, 7, 7, 9, 9, 9}};
  const Picture four{.width = 1, .height = 2, .channels = 4, .values = {7, 7, 7, 255, 9, 9, 9, 255}};
  const Picture turned{.width = 2, .height = 1, .channels = 1, .values = {7, 9}};
  EXPECT_EQ(pixel_digest(one), pixel_digest(three));
  EXPECT_EQ(pixel_digest(one), pixel_digest(four));
  EXPECT_NE(pixel_digest(one), pixel_digest(turned));
}

TEST(PerceptualHash, hardly_changes_when_a_picture_is_scaled_brightened_or_shifted) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Picture brighter = scene(seed);
    for (std::uint8_t& value : brighter.values) value = static_cast<std::uint8_t>(value + 20);
    EXPECT_LE(bits_apart(scene(seed), brighter), alike_bits) << seed;
    EXPECT_LE(bits_apart(scene(seed), scene(seed, 160)), alike_bits) << seed;
    EXPECT_LE(bits_apart(scene(seed, 480), scene(seed, 480, 2)), alike_bits) << seed;
  }
}

TEST(PerceptualHash, tells_different_pictures_apart) {
  for (std::uint64_t seed = 1; seed < 40; ++seed)
    EXPECT_GT(bits_apart(scene(seed), scene(seed + 1)), alike_bits) << seed;
}

TEST(PerceptualHash, is_absent_for_a_flat_picture) {
  Picture flat{.width = 5, .height = 3, .channels = 1, .values = std::vector<std::uint8_t>(15, 90)};
  EXPECT_FALSE(perceptual_hash(flat));
  flat.values[7] = 91;
  EXPECT_FALSE(perceptual_hash(flat));
}

TEST(TextOverlays, find_thin_strokes_on_an_even_border_only) {
  Picture picture = scene(5, 200);
  EXPECT_TRUE(text_overlays(picture).empty());
  for (std::int64_t y = 0; y < 30; ++y) std::fill_n(picture.values.begin() + y * 200, 200, std::uint8_t{10});
  EXPECT_TRUE(text_overlays(picture).empty());
  for (std::int64_t y = 8; y < 18; ++y) {
    for (std::int64_t x = 20; x < 80; x += 4) picture.values[static_cast<std::size_t>(y * 200 + x)] = 240;
  }
  const auto found = text_overlays(picture);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].top, 8);
  EXPECT_EQ(found[0].bottom, 17);
  EXPECT_EQ(found[0].left, 20);
  EXPECT_EQ(found[0].right, 76);
}

}  // namespace
}  // namespace fiducial
