#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The pixels that are inside of a shape on a picture, row by row from the top.
struct PixelMask {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> inside;  // 0 or 1

  static PixelMask empty_of(std::int64_t width, std::int64_t height);
  std::uint8_t& at(std::int64_t column, std::int64_t row) {
    return inside[static_cast<std::size_t>(row * width + column)];
  }
  std::uint8_t at(std::int64_t column, std::int64_t row) const {
    return inside[static_cast<std::size_t>(row * width + column)];
  }
  std::int64_t count() const;

  friend bool operator==(const PixelMask&, const PixelMask&) = default;
};

// The runs of COCO: lengths of pixels outside and inside in turn, column by column from the left.
std::vector<std::int64_t> coco_runs(const PixelMask& mask);
// Refuses runs that do not add up to the picture.
Result<PixelMask> from_coco_runs(std::span<const std::int64_t> runs, std::int64_t width, std::int64_t height);
// The same as the text that COCO's tools exchange.
std::string coco_text(std::span<const std::int64_t> runs);
Result<std::vector<std::int64_t>> parse_coco_text(std::string_view text);

// The runs of Label Studio's brush: the values of an RGBA picture, packed by bits; alpha 255 is inside.
std::vector<std::uint8_t> brush_code(const PixelMask& mask);
// A pixel whose alpha is 128 or more is inside. Refuses another size than that of the picture.
Result<PixelMask> parse_brush_code(ByteView code, std::int64_t width, std::int64_t height);

}  // namespace fiducial
