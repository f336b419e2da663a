#pragma once

#include <cstdint>
#include <vector>

namespace fiducial {

// Sums of values under the pixels of another raster laid over theirs, each weighted by the area that a pixel
// and it have in common: a mean times columns * rows, exactly. In whole numbers, so that it is the same on
// every machine.
struct AreaSums {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t weight = 0;  // what every sum is to be divided by
  std::vector<std::int64_t> sums;
};
struct RasterSize {
  std::int64_t width = 0;
  std::int64_t height = 0;
};
AreaSums area_sums(const std::vector<std::int32_t>& values, RasterSize from, RasterSize to);

}  // namespace fiducial
