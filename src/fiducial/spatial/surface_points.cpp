#include "fiducial/spatial/surface_points.h"

#include <algorithm>
#include <numeric>

namespace fiducial {

namespace {

// Sets bits begin .. end-1 of a row.
void set_bits(std::uint64_t* row, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t width = PointLattice::word_bits;
  for (std::int64_t w = begin / width; w * width < end; ++w) {
    const std::int64_t low = std::max(begin - w * width, std::int64_t{0});
    const std::int64_t high = std::min(end - w * width, width);
    const std::uint64_t upto_high = high == width ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
    row[w] |= upto_high & ~((std::uint64_t{1} << low) - 1);
  }
}

}  // namespace

PointLattice::PointLattice(Extent extent)
    : extent_(extent),
      words_((extent.x + word_bits - 1) / word_bits),
      bits_(static_cast<std::size_t>(extent.rows() * (words_ + 2) + 2)) {}

std::int64_t PointLattice::count() const {
  return std::transform_reduce(bits_.begin(), bits_.end(), std::int64_t{0}, std::plus<>(),
                               [](std::uint64_t word) { return std::int64_t{std::popcount(word)}; });
}

PointLattice lattice_of(const Mask& mask, const VoxelBox& box) {
  PointLattice out({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
  for (const MaskRun& run : mask.runs()) {
    const std::int64_t y = run.row % mask.extent().y - box.low[1];
    const std::int64_t z = run.row / mask.extent().y - box.low[2];
    if (!out.has_row(y, z)) continue;
    const std::int64_t begin = std::max(run.begin - box.low[0], std::int64_t{0});
    const std::int64_t end = std::min(run.end - box.low[0], out.extent().x);
    if (begin < end) set_bits(out.row(y, z), begin, end);
  }
  return out;
}

VoxelBox united_bounds(const Mask& a, const Mask& b) {
  if (a.empty()) return b.bounds();
  if (b.empty()) return a.bounds();
  VoxelBox out = a.bounds();
  const VoxelBox other = b.bounds();
  for (std::size_t i = 0; i < 3; ++i) {
    out.low[i] = std::min(out.low[i], other.low[i]);
    out.high[i] = std::max(out.high[i], other.high[i]);
  }
  return out;
}

}  // namespace fiducial
