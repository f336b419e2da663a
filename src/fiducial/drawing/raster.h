#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

// The raster as a greyscale PNG that a page can hold in an attribute. One build gives the same bytes every
// time.
std::string png_data_uri(const Raster& picture);

}  // namespace fiducial
