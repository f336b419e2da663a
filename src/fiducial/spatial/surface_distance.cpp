#include "fiducial/spatial/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/spatial/nearest_point.h"
#include "fiducial/spatial/surface_coverage.h"
#include "fiducial/spatial/voxel_edge.h"

namespace fiducial {

namespace {

// The sum as NumPy forms it: eight interleaved sums in blocks of 128, blocks halved recursively.
double pairwise_sum(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 8) return std::accumulate(values.begin(), values.end(), 0.0);
  if (count <= 128) {
    double lanes[8];
    std::copy_n(values.begin(), 8, lanes);
    std::size_t i = 8;
    for (; i + 8 <= count; i += 8) {
      for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += values[i + lane];
    }
    double sum =
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (; i < count; ++i) sum += values[i];
    return sum;
  }
  const std::size_t half = count / 2 / 8 * 8;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

// A distance and its area, in the order of surface-distance.
using Element = std::pair<double, double>;

// The first distance at which the share of the area is reached, with the sums and in the order of NumPy.
double sorted_percentile(std::vector<Element>& elements, double share) {
  std::sort(elements.begin(), elements.end());
  std::vector<double> areas;
  areas.reserve(elements.size());
  for (const auto& [distance, area] : elements) areas.push_back(area);
  const double total = pairwise_sum(areas);
  double sum = 0;
  for (const auto& [distance, area] : elements) {
    sum += area;
    if (sum / total >= share) return distance;
  }
  return elements.back().first;
}

// The same without sorting, by halving; nothing where the sum comes so near to the wanted area that the order
// of additions could decide.
std::optional<double> selected_percentile(std::vector<Element>& elements, double wanted) {
  const double slack = 1e-9 * wanted;
  double below = 0;  // area of all before low
  auto low = elements.begin();
  auto high = elements.end();
  while (low != high) {
    const auto middle = low + (high - low) / 2;
    std::nth_element(low, middle, high);
    double sum = below;
    for (auto at = low; at <= middle; ++at) sum += at->second;
    if (std::abs(sum - wanted) <= slack) return std::nullopt;
    if (sum > wanted) {
      if (middle == low) return low->first;
      // The middle one stays in the range only when all before it are too little.
      if (sum - middle->second < wanted - slack) return middle->first;
      high = middle;
    } else {
      below = sum;
      low = middle + 1;
    }
  }
  return std::nullopt;
}

DirectedDistances surfel_distances_of(const Surfels& from, const Surfels& to, const Vec3& spacing_mm) {
  DirectedDistances out{nearest_distances_mm(from.corners, to.corners, spacing_mm), {}};
  const std::array<double, 256> areas = surfel_areas_mm2(spacing_mm);
  out.area_mm2.reserve(from.codes.size());
  for (const std::uint8_t code : from.codes) out.area_mm2.push_back(areas[code]);
  return out;
}

// Areas are summed by code, so that the order of surfels does not matter.
SurfaceShare surfel_share(const Surfels& of, const PointLattice& covered, const Vec3& spacing_mm) {
  std::array<std::int64_t, 256> all{};
  std::array<std::int64_t, 256> within{};
  std::size_t index = 0;
  of.corners.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::uint8_t code = of.codes[index++];
    ++all[code];
    within[code] += static_cast<std::int64_t>(covered.row(y, z)[x >> 6] >> (x & 63) & 1U);
  });
  const std::array<double, 256> areas = surfel_areas_mm2(spacing_mm);
  SurfaceShare out;
  for (std::size_t code = 0; code < 256; ++code) {
    out.within += static_cast<double>(within[code]) * areas[code];
    out.all += static_cast<double>(all[code]) * areas[code];
  }
  return out;
}

}  // namespace

double mean_distance_mm(const DirectedDistances& directed) {
  FIDUCIAL_ASSERT(!directed.distance_mm.empty());
  if (directed.area_mm2.empty()) {
    return pairwise_sum(directed.distance_mm) / static_cast<double>(directed.distance_mm.size());
  }
  std::vector<double> weighted(directed.distance_mm);
  for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= directed.area_mm2[i];
  return pairwise_sum(weighted) / pairwise_sum(directed.area_mm2);
}

double area_percentile_mm(const DirectedDistances& directed, double percent) {
  FIDUCIAL_ASSERT(!directed.distance_mm.empty());
  if (percent >= 100) return *std::max_element(directed.distance_mm.begin(), directed.distance_mm.end());
  std::vector<Element> elements;
  elements.reserve(directed.distance_mm.size());
  for (std::size_t i = 0; i < directed.distance_mm.size(); ++i) {
    elements.emplace_back(directed.distance_mm[i], directed.area_mm2[i]);
  }
  const auto selected = selected_percentile(elements, percent / 100 * pairwise_sum(directed.area_mm2));
  return selected ? *selected : sorted_percentile(elements, percent / 100);
}

double linear_percentile(std::vector<double> values, double percent) {
  FIDUCIAL_ASSERT(!values.empty());
  const double position = percent / 100 * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const double part = position - std::floor(position);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  const double low = *at;
  const double high = at + 1 == values.end() ? low : *std::min_element(at + 1, values.end());
  const double step = high - low;
  return part >= 0.5 ? high - step * (1 - part) : low + step * part;
}

SurfaceComparison::SurfaceComparison(const Mask& reference, const Mask& prediction, const Vec3& spacing_mm)
    : spacing_mm_(spacing_mm),
      reference_empty_(reference.empty()),
      prediction_empty_(prediction.empty()),
      reference_(lattice_of(reference, united_bounds(reference, prediction))),
      prediction_(lattice_of(prediction, united_bounds(reference, prediction))) {
  FIDUCIAL_ASSERT(reference.extent() == prediction.extent());
  FIDUCIAL_ASSERT(spacing_mm[0] > 0 && spacing_mm[1] > 0 && spacing_mm[2] > 0);
}

const SurfaceComparison::SurfelPair& SurfaceComparison::surfel_pair() const {
  if (!surfels_) surfels_ = SurfelPair{surfels(reference_), surfels(prediction_)};
  return *surfels_;
}

const SurfaceComparison::EdgePair& SurfaceComparison::edge_pair() const {
  if (!edges_) edges_ = EdgePair{voxel_edge(reference_), voxel_edge(prediction_)};
  return *edges_;
}

const SurfaceComparison::Directions& SurfaceComparison::surfel_distances() const {
  if (!surfel_distances_) {
    const SurfelPair& both = surfel_pair();
    surfel_distances_ = Directions{surfel_distances_of(both.reference, both.prediction, spacing_mm_),
                                   surfel_distances_of(both.prediction, both.reference, spacing_mm_)};
  }
  return *surfel_distances_;
}

const SurfaceComparison::Directions& SurfaceComparison::voxel_edge_distances() const {
  if (!edge_distances_) {
    const EdgePair& both = edge_pair();
    edge_distances_ = Directions{{nearest_distances_mm(both.reference, both.prediction, spacing_mm_), {}},
                                 {nearest_distances_mm(both.prediction, both.reference, spacing_mm_), {}}};
  }
  return *edge_distances_;
}

SurfaceComparison::Shares SurfaceComparison::surfel_shares(double tolerance_mm) const {
  const SurfelPair& both = surfel_pair();
  const PointLattice& a = both.reference.corners;
  const PointLattice& b = both.prediction.corners;
  return {surfel_share(both.reference, covered_points(a, b, spacing_mm_, tolerance_mm), spacing_mm_),
          surfel_share(both.prediction, covered_points(b, a, spacing_mm_, tolerance_mm), spacing_mm_)};
}

SurfaceComparison::Shares SurfaceComparison::voxel_edge_shares(double tolerance_mm) const {
  const EdgePair& both = edge_pair();
  const auto share = [&](const PointLattice& of, const PointLattice& by) {
    return SurfaceShare{static_cast<double>(covered_points(of, by, spacing_mm_, tolerance_mm).count()),
                        static_cast<double>(of.count())};
  };
  return {share(both.reference, both.prediction), share(both.prediction, both.reference)};
}

}  // namespace fiducial
