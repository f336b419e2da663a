#include "fiducial/views/area_average.h"

#include <algorithm>

namespace fiducial {

namespace {

// The values under a pixel of a line of `to` pixels over `from` values, in units of 1 / to of a value.
struct Share {
  std::size_t first = 0;
  std::vector<std::int64_t> weights;
};

std::vector<Share> shares_of(std::int64_t from, std::int64_t to) {
  std::vector<Share> out(static_cast<std::size_t>(to));
  for (std::int64_t i = 0; i < to; ++i) {
    const std::int64_t begin = i * from;
    const std::int64_t end = begin + from;
    Share& share = out[static_cast<std::size_t>(i)];
    share.first = static_cast<std::size_t>(begin / to);
    for (std::int64_t j = begin / to; j * to < end; ++j)
      share.weights.push_back(std::min(end, (j + 1) * to) - std::max(begin, j * to));
  }
  return out;
}

}  // namespace

AreaSums area_sums(const std::vector<std::int32_t>& values, RasterSize from, RasterSize to) {
  const std::vector<Share> across = shares_of(from.width, to.width);
  const std::vector<Share> down = shares_of(from.height, to.height);
  const auto width = static_cast<std::size_t>(to.width);
  std::vector<std::int64_t> lines(static_cast<std::size_t>(from.height) * width, 0);
  for (std::size_t y = 0; y < static_cast<std::size_t>(from.height); ++y) {
    const std::int32_t* row = values.data() + y * static_cast<std::size_t>(from.width);
    for (std::size_t i = 0; i < width; ++i) {
      const Share& share = across[i];
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < share.weights.size(); ++k) sum += share.weights[k] * row[share.first + k];
      lines[y * width + i] = sum;
    }
  }
  AreaSums out{.width = to.width, .height = to.height, .weight = from.width * from.height, .sums = {}};
  out.sums.assign(width * static_cast<std::size_t>(to.height), 0);
  for (std::size_t j = 0; j < static_cast<std::size_t>(to.height); ++j) {
    for (std::size_t k = 0; k < down[j].weights.size(); ++k) {
      const std::int64_t* line = lines.data() + (down[j].first + k) * width;
      for (std::size_t i = 0; i < width; ++i) out.sums[j * width + i] += down[j].weights[k] * line[i];
    }
  }
  return out;
}

}  // namespace fiducial
