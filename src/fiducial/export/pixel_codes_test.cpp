#include "fiducial/export/pixel_codes.h"

#include <algorithm>
#include <span>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {

namespace {

PixelMask drawn(std::int64_t width, std::int64_t height, const std::vector<std::string>& rows) {
  PixelMask out = PixelMask::empty_of(width, height);
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x)
      out.at(x, y) = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#' ? 1 : 0;
  }
  return out;
}

// A picture of blobs and single pixels, from one seed.
PixelMask drawn_by(std::uint64_t seed) {
  Random random(seed);
  PixelMask out = PixelMask::empty_of(1 + static_cast<std::int64_t>(random.below(90)),
                                      1 + static_cast<std::int64_t>(random.below(70)));
  for (std::uint64_t blob = random.below(6); blob > 0; --blob) {
    const std::int64_t left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(out.width)));
    const std::int64_t top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(out.height)));
    const std::int64_t size = static_cast<std::int64_t>(random.below(40));
    for (std::int64_t y = top; y < std::min(out.height, top + size); ++y) {
      for (std::int64_t x = left; x < std::min(out.width, left + 1 + size / 2); ++x) out.at(x, y) = 1;
    }
  }
  return out;
}

}  // namespace

// pycocotools 2.0.11: mask.encode(numpy.asfortranarray(picture))["counts"], label-studio-sdk 2.1.2:
// converter.brush.encode_rle of the same as RGBA.
TEST(PixelCodes, are_those_of_the_other_tools) {
  const PixelMask mask = drawn(5, 4, {".....", ".##..", ".###.", "....#"});
  EXPECT_EQ(coco_runs(mask), (std::vector<std::int64_t>{5, 2, 2, 2, 3, 1, 4, 1}));
  EXPECT_EQ(coco_text(coco_runs(mask)), "52201O10");
  EXPECT_EQ(brush_code(mask), (std::vector<std::uint8_t>{0, 0, 0, 80, 57, 27, 254, 23, 0, 159, 254, 216, 5,
                                                         191, 252, 38, 1, 31, 248}));
}

TEST(PixelCodes, come_back_as_they_were) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const PixelMask mask = drawn_by(seed);
    const auto runs = parse_coco_text(coco_text(coco_runs(mask)));
    ASSERT_TRUE(runs.ok());
    EXPECT_EQ(from_coco_runs(*runs, mask.width, mask.height).value(), mask) << seed;
    const std::vector<std::uint8_t> code = brush_code(mask);
    EXPECT_EQ(parse_brush_code(std::as_bytes(std::span(code)), mask.width, mask.height).value(), mask)
        << seed;
  }
}

TEST(PixelCodes, of_another_size_or_cut_off_are_refused) {
  const PixelMask mask = drawn_by(3);
  std::vector<std::uint8_t> code = brush_code(mask);
  EXPECT_FALSE(parse_brush_code(std::as_bytes(std::span(code)), mask.width + 1, mask.height).ok());
  code.resize(code.size() / 2);
  EXPECT_FALSE(parse_brush_code(std::as_bytes(std::span(code)), mask.width, mask.height).ok());
  EXPECT_FALSE(from_coco_runs(coco_runs(mask), mask.width, mask.height + 1).ok());
  EXPECT_FALSE(parse_coco_text("5~").ok());
  EXPECT_FALSE(parse_coco_text("5oooooooooooo").ok());
  EXPECT_FALSE(parse_coco_text("Q").ok() && parse_coco_text("oo").ok());
}

}  // namespace fiducial
