#include <algorithm>
#include <cmath>

#include "fiducial/segment/chest_parts.h"
#include "fiducial/spatial/components.h"

namespace fiducial {

namespace {

// A round dark spot of a slice that may be the trachea.
struct LumenSpot {
  std::int64_t z = 0;
  std::vector<MaskRun> runs;  // rows are y
  double area_mm2 = 0;
  double x_mm = 0;
  double y_mm = 0;
  int above = -1;  // the spot it continues, one slice nearer to the head
  int length = 1;  // slices of the chain that ends here
};

constexpr int lumen_hu = -850;

struct SpotBounds {
  std::int64_t low_x = 1'000'000'000, high_x = 0, low_y = 1'000'000'000, high_y = 0;
};

// What its runs say of a spot; nothing where it is no cross-section of a trachea.
std::optional<LumenSpot> spot_of(const HounsfieldGrid& ct, std::vector<MaskRun> runs, std::int64_t z,
                                 double midline_x) {
  constexpr double least_mm2 = 40;
  constexpr double most_mm2 = 900;
  constexpr double widest_mm = 45;
  constexpr double off_midline_mm = 40;
  constexpr double least_fill = 0.45;
  LumenSpot spot{.z = z};
  SpotBounds bounds;
  std::vector<std::int16_t> values;
  double count = 0;
  for (const MaskRun& run : runs) {
    bounds.low_x = std::min<std::int64_t>(bounds.low_x, run.begin);
    bounds.high_x = std::max<std::int64_t>(bounds.high_x, run.end);
    bounds.low_y = std::min<std::int64_t>(bounds.low_y, run.row);
    bounds.high_y = std::max<std::int64_t>(bounds.high_y, run.row + 1);
    for (std::int32_t x = run.begin; x < run.end; ++x) {
      values.push_back(ct.at(x, run.row, z));
      spot.x_mm += x;
      spot.y_mm += run.row;
      ++count;
    }
  }
  const double width = static_cast<double>(bounds.high_x - bounds.low_x);
  const double depth = static_cast<double>(bounds.high_y - bounds.low_y);
  spot.area_mm2 = count * ct.spacing_mm[0] * ct.spacing_mm[1];
  spot.x_mm *= ct.spacing_mm[0] / count;
  spot.y_mm *= ct.spacing_mm[1] / count;
  if (spot.area_mm2 < least_mm2 || spot.area_mm2 > most_mm2) return std::nullopt;
  if (width * ct.spacing_mm[0] > widest_mm || depth * ct.spacing_mm[1] > widest_mm) return std::nullopt;
  if (count < least_fill * width * depth) return std::nullopt;
  if (std::abs(spot.x_mm - midline_x * ct.spacing_mm[0]) > off_midline_mm) return std::nullopt;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  if (values[values.size() / 2] > lumen_hu - 50) return std::nullopt;
  spot.runs = std::move(runs);
  return spot;
}

std::vector<LumenSpot> spots_of_slice(const HounsfieldGrid& ct, const PointLattice& lumen, std::int64_t z,
                                      double midline_x) {
  const Components parts = components(mask_of_slice(lumen, z), Connectivity::faces6);
  std::vector<std::vector<MaskRun>> runs(static_cast<std::size_t>(parts.count()));
  for (const LabelRun& run : parts.labels.runs()) {
    runs[static_cast<std::size_t>(run.label) - 1].push_back({run.row, run.begin, run.end});
  }
  std::vector<LumenSpot> spots;
  for (std::vector<MaskRun>& each : runs) {
    if (auto spot = spot_of(ct, std::move(each), z, midline_x)) spots.push_back(std::move(*spot));
  }
  return spots;
}

bool continues(const LumenSpot& below, const LumenSpot& above, double slice_mm) {
  const double ratio = below.area_mm2 / above.area_mm2;
  const double distance = std::hypot(below.x_mm - above.x_mm, below.y_mm - above.y_mm);
  return ratio > 0.4 && ratio < 2.5 && distance < 5 + 0.7 * slice_mm;
}

// The longest chain of spots, slice under slice, as a set of voxels; empty where none is long enough.
PointLattice trachea_seed(const HounsfieldGrid& ct, const PointLattice& lumen, double midline_x) {
  constexpr double shortest_mm = 20;
  std::vector<LumenSpot> spots;
  std::size_t above_begin = 0;
  std::size_t above_end = 0;
  for (std::int64_t z = ct.extent.z - 1; z >= 0; --z) {
    for (LumenSpot& spot : spots_of_slice(ct, lumen, z, midline_x)) {
      for (std::size_t i = above_begin; i < above_end; ++i) {
        if (!continues(spot, spots[i], ct.spacing_mm[2]) || spots[i].length < spot.length) continue;
        spot.length = spots[i].length + 1;
        spot.above = static_cast<int>(i);
      }
      spots.push_back(std::move(spot));
    }
    above_begin = above_end;
    above_end = spots.size();
  }
  PointLattice seed(ct.extent);
  int best = -1;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (best < 0 || spots[i].length > spots[static_cast<std::size_t>(best)].length)
      best = static_cast<int>(i);
  }
  if (best < 0 || spots[static_cast<std::size_t>(best)].length * ct.spacing_mm[2] < shortest_mm) return seed;
  for (int at = best; at >= 0; at = spots[static_cast<std::size_t>(at)].above) {
    const LumenSpot& spot = spots[static_cast<std::size_t>(at)];
    for (const MaskRun& run : spot.runs) set_bits(seed.row(run.row, spot.z), run.begin, run.end);
  }
  return seed;
}

// What is connected to the seed among voxels darker than a threshold.
PointLattice lumen_below(const HounsfieldGrid& ct, const PointLattice& air, const PointLattice& seed,
                         int hu) {
  const PointLattice dark =
      both_of(bits_where(ct.extent,
                         [&](std::int64_t x, std::int64_t y, std::int64_t z) { return ct.at(x, y, z) < hu; }),
              air);
  const Mask inside = mask_of_bits(both_of(seed, dark));
  const Components parts = components(mask_of_bits(dark), Connectivity::faces6);
  const LabelMap& labels = parts.labels;
  std::vector<bool> kept(static_cast<std::size_t>(parts.count()) + 1, false);
  std::size_t at = 0;
  for (const MaskRun& run : inside.runs()) {
    while (labels.runs()[at].row < run.row ||
           (labels.runs()[at].row == run.row && labels.runs()[at].end <= run.begin)) {
      ++at;
    }
    kept[static_cast<std::size_t>(labels.runs()[at].label)] = true;
  }
  return bits_of_mask(
      labels.relabelled([&](std::int32_t label) { return kept[static_cast<std::size_t>(label)] ? 1 : 0; })
          .foreground());
}

}  // namespace

// Region growing with the threshold raised until it spills into a lung (Mori et al. 2000): the bronchial wall
// holds the lumen in, and the first threshold that it does not hold shows as a jump of the volume.
PointLattice airways_of(const HounsfieldGrid& ct, const PointLattice& trunk, double midline_x) {
  constexpr double largest_ml = 150;
  constexpr double jump = 1.2;
  constexpr double slack_ml = 3;
  const PointLattice air = both_of(air_of(ct), trunk);
  const PointLattice lumen = both_of(
      bits_where(ct.extent,
                 [&](std::int64_t x, std::int64_t y, std::int64_t z) { return ct.at(x, y, z) < lumen_hu; }),
      trunk);
  PointLattice seed = trachea_seed(ct, lumen, midline_x);
  if (seed.empty()) return seed;
  PointLattice best(seed);
  double best_ml = 0;  // of the last threshold that held
  for (int hu = -970; hu <= -900; hu += 10) {
    const PointLattice found = lumen_below(ct, air, seed, hu);
    const double ml = static_cast<double>(found.count()) * ct.voxel_ml();
    if (ml > largest_ml || (best_ml > 0 && ml > jump * best_ml + slack_ml)) break;
    best = found;
    best_ml = ml;
  }
  return either_of(best, seed);
}

}  // namespace fiducial
