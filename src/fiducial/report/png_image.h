#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/bytes.h"

namespace fiducial {

// Rows of 8-bit values from the top, left to right.
struct Raster {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint8_t> pixels;

  static Raster make(std::int64_t width, std::int64_t height) {
    return {width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width * height))};
  }
  std::uint8_t& at(std::int64_t column, std::int64_t row) {
    return pixels[static_cast<std::size_t>(row * width + column)];
  }
  std::uint8_t at(std::int64_t column, std::int64_t row) const {
    return pixels[static_cast<std::size_t>(row * width + column)];
  }
  friend bool operator==(const Raster&, const Raster&) = default;
};

// The picture as an 8-bit greyscale PNG file. The bytes depend on nothing but the picture.
Bytes png_file(const Raster& picture);

// Bytes as base64 (RFC 4648), without line breaks.
std::string base64(ByteView bytes);

// A PNG that a page can hold in an attribute.
std::string png_data_uri(const Raster& picture);

}  // namespace fiducial
