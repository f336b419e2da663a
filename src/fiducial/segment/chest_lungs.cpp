#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/segment/chest_parts.h"
#include "fiducial/spatial/components.h"

namespace fiducial {

namespace {

// Aerated tissue: denser than gas, and mostly air.
constexpr int gas_hu = -950;
constexpr int densest_parenchyma_hu = -500;

bool is_parenchyma(int hu) { return hu >= gas_hu && hu <= densest_parenchyma_hu; }

double parenchyma_share(const HounsfieldGrid& ct, const PointLattice& bits) {
  std::int64_t all = 0;
  std::int64_t aerated = 0;
  bits.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    ++all;
    aerated += is_parenchyma(ct.at(x, y, z)) ? 1 : 0;
  });
  return all == 0 ? 0 : static_cast<double>(aerated) / static_cast<double>(all);
}

// The mean of a voxel and the 26 around it, of those inside the picture: noise hides how dark gas is.
double calm_hu(const HounsfieldGrid& ct, std::int64_t x, std::int64_t y, std::int64_t z) {
  std::int64_t sum = 0;
  std::int64_t count = 0;
  for (std::int64_t k = std::max<std::int64_t>(z - 1, 0); k < std::min(z + 2, ct.extent.z); ++k) {
    for (std::int64_t j = std::max<std::int64_t>(y - 1, 0); j < std::min(y + 2, ct.extent.y); ++j) {
      for (std::int64_t i = std::max<std::int64_t>(x - 1, 0); i < std::min(x + 2, ct.extent.x); ++i) {
        sum += ct.at(i, j, k);
        ++count;
      }
    }
  }
  return static_cast<double>(sum) / static_cast<double>(count);
}

PointLattice calm_and_dark(const HounsfieldGrid& ct, const PointLattice& air, int dark_hu) {
  PointLattice out(ct.extent);
  air.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (calm_hu(ct, x, y, z) < dark_hu) set_bits(out.row(y, z), x, x + 1);
  });
  return out;
}

// Gas of bowel and stomach: large, dark and without a vessel inside, with walls of soft tissue around. A
// bulla is as dark, but lies in lung.
struct BowelGas {
  PointLattice core;  // surely gas
  PointLattice rim;   // with the partial volumes of its wall
};

BowelGas gas_of(const HounsfieldGrid& ct, const PointLattice& air) {
  constexpr int dark_hu = -930;
  constexpr double least_ml = 2;
  constexpr double least_solidity = 0.93;
  constexpr double most_lung_around = 0.5;
  constexpr double corner_mm = 8;
  constexpr int most_corner_steps = 8;
  const PointLattice dark = calm_and_dark(ct, air, dark_hu);
  const Components parts = components(mask_of_bits(opened(dark, ct.spacing_mm, 4)), Connectivity::faces6);
  BowelGas gas{PointLattice(ct.extent), PointLattice(ct.extent)};
  for (std::int32_t part = 1; part <= parts.count(); ++part) {
    const auto voxels = static_cast<double>(parts.voxels[static_cast<std::size_t>(part) - 1]);
    if (voxels * ct.voxel_ml() < least_ml) continue;
    const PointLattice blob = bits_of_mask(parts.labels.where(part));
    if (median_hu(ct, blob) > gas_hu + 5) continue;
    if (voxels < least_solidity * static_cast<double>(closed(blob, ct.spacing_mm, 6).count())) continue;
    // The first ring holds partial volumes of the wall.
    const PointLattice near = grown(blob, ct.spacing_mm, 3);
    const PointLattice ring = without(grown(near, ct.spacing_mm, 4), near);
    if (parenchyma_share(ct, ring) >= most_lung_around) continue;
    // Opening has taken the corners between the gas, the wall and what it stands on.
    const PointLattice reach = both_of(grown(blob, ct.spacing_mm, corner_mm), air);
    const PointLattice corners = bits_where(ct.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      return (reach.row(y, z)[x / 64] >> (x % 64) & 1) != 0 && ct.at(x, y, z) < dark_hu;
    });
    const PointLattice whole = spread(blob, either_of(blob, corners), most_corner_steps);
    gas.core = either_of(gas.core, grown(whole, ct.spacing_mm, 3));
    gas.rim = either_of(gas.rim, either_of(near, grown(whole, ct.spacing_mm, 4.5)));
  }
  return gas;
}

struct LungSeed {
  PointLattice bits;
  double volume_ml = 0;
  std::int64_t low_z = 0;
  std::int64_t high_z = 0;
};

// Where tissue begins and ends on the way from front to back, in some slices, but for a share of it.
struct TissueDepth {
  double front = 0;
  double back = 0;
};

TissueDepth tissue_depth(const HounsfieldGrid& ct, const PointLattice& tissue, const LungSeed& seed) {
  constexpr double margin = 0.08;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(ct.extent.y), 0);
  std::int64_t all = 0;
  for (std::int64_t z = seed.low_z; z < seed.high_z; ++z) {
    const Mask slice = mask_of_slice(tissue, z);
    for (const MaskRun& run : slice.runs()) {
      rows[static_cast<std::size_t>(run.row)] += run.end - run.begin;
      all += run.end - run.begin;
    }
  }
  TissueDepth out;
  std::int64_t before = 0;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    before += rows[y];
    const double share = static_cast<double>(before) / static_cast<double>(std::max<std::int64_t>(all, 1));
    if (share <= margin) out.front = static_cast<double>(y);
    if (share <= 1 - margin) out.back = static_cast<double>(y);
  }
  return out;
}

double middle_y(const PointLattice& bits) {
  double sum = 0;
  double count = 0;
  bits.for_each([&](std::int64_t, std::int64_t y, std::int64_t) {
    sum += static_cast<double>(y);
    ++count;
  });
  return count > 0 ? sum / count : 0;
}

// A mattress is as light as lung, but lies behind nearly all tissue or, prone, in front of it.
bool amid_tissue(const HounsfieldGrid& ct, const LungSeed& seed, const PointLattice& tissue) {
  const TissueDepth depth = tissue_depth(ct, tissue, seed);
  const double y = middle_y(seed.bits);
  return y >= depth.front && y <= depth.back;
}

// The cores of lungs: aerated, amid other tissue, at the height of the largest one. Beside a lung that is
// certain, the other may be small: its base at the top of an abdomen.
std::vector<LungSeed> lung_seeds(const HounsfieldGrid& ct, const Components& cores,
                                 const PointLattice& tissue) {
  constexpr double least_ml = 0.5;
  constexpr double least_of_first_ml = 2;  // folds of skin and clothes hold less
  constexpr double least_of_largest = 0.01;
  constexpr double least_parenchyma = 0.5;
  std::vector<LungSeed> seeds;
  for (std::int32_t core = 1; core <= cores.count(); ++core) {
    const double ml = static_cast<double>(cores.voxels[static_cast<std::size_t>(core) - 1]) * ct.voxel_ml();
    if (ml < least_ml) continue;
    const Mask mask = cores.labels.where(core);
    const VoxelBox box = mask.bounds();
    LungSeed seed{bits_of_mask(mask), ml, box.low[2], box.high[2]};
    const bool aerated = parenchyma_share(ct, seed.bits) >= least_parenchyma;
    if (aerated && amid_tissue(ct, seed, tissue)) seeds.push_back(std::move(seed));
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const LungSeed& a, const LungSeed& b) { return a.volume_ml > b.volume_ml; });
  if (seeds.empty() || seeds.front().volume_ml < least_of_first_ml) return {};
  const double most_ml = seeds.front().volume_ml;
  const std::int64_t low = seeds.front().low_z;
  const std::int64_t high = seeds.front().high_z;
  std::erase_if(seeds, [&](const LungSeed& seed) {
    return seed.low_z >= high || seed.high_z <= low || seed.volume_ml < least_of_largest * most_ml;
  });
  return seeds;
}

// The x from which on a voxel of row y counts as left, for each y of a slice: the way from front to back
// through the least lung, and where lungs touch along the densest line between them.
std::vector<std::int64_t> cut_of_slice(const HounsfieldGrid& ct, const PointLattice& joined, std::int64_t z,
                                       double midline_x) {
  constexpr double reach_mm = 60;
  const auto reach = static_cast<std::int64_t>(reach_mm / ct.spacing_mm[0]);
  const auto middle = static_cast<std::int64_t>(std::lround(midline_x));
  const std::int64_t low = std::clamp<std::int64_t>(middle - reach, 0, ct.extent.x - 1);
  const std::int64_t high = std::clamp<std::int64_t>(middle + reach, low, ct.extent.x - 1);
  const auto width = static_cast<std::size_t>(high - low + 1);
  std::vector<double> cost(width, 0.0);
  std::vector<std::vector<std::int8_t>> steps;
  for (std::int64_t y = 0; y < ct.extent.y; ++y) {
    std::vector<double> next(width);
    std::vector<std::int8_t> step(width, 0);
    for (std::size_t i = 0; i < width; ++i) {
      const std::int64_t x = low + static_cast<std::int64_t>(i);
      const bool inside = (joined.row(y, z)[x / 64] >> (x % 64) & 1) != 0;
      const double here =
          inside ? 200.0 + std::max(0, -ct.at(x, y, z)) : std::abs(static_cast<double>(x - middle)) * 0.05;
      double best = cost[i];
      if (i > 0 && cost[i - 1] < best) {
        best = cost[i - 1];
        step[i] = -1;
      }
      if (i + 1 < width && cost[i + 1] < best) {
        best = cost[i + 1];
        step[i] = 1;
      }
      next[i] = best + here;
    }
    cost = std::move(next);
    steps.push_back(std::move(step));
  }
  std::vector<std::int64_t> cut(static_cast<std::size_t>(ct.extent.y));
  auto at = static_cast<std::size_t>(std::min_element(cost.begin(), cost.end()) - cost.begin());
  for (std::size_t y = cut.size(); y-- > 0;) {
    cut[y] = low + static_cast<std::int64_t>(at);
    at = static_cast<std::size_t>(static_cast<std::int64_t>(at) + steps[y][at]);
  }
  return cut;
}

PointLattice left_of_cut(const HounsfieldGrid& ct, const PointLattice& joined, double midline_x) {
  PointLattice left(ct.extent);
  for (std::int64_t z = 0; z < ct.extent.z; ++z) {
    if (mask_of_slice(joined, z).empty()) continue;
    const std::vector<std::int64_t> cut = cut_of_slice(ct, joined, z, midline_x);
    for (std::int64_t y = 0; y < ct.extent.y; ++y) {
      set_bits(left.row(y, z), cut[static_cast<std::size_t>(y)], ct.extent.x);
    }
  }
  return both_of(left, joined);
}

double share_left_of(const PointLattice& bits, double midline_x) {
  double all = 0;
  double left = 0;
  bits.for_each([&](std::int64_t x, std::int64_t, std::int64_t) {
    ++all;
    if (static_cast<double>(x) + 0.5 > midline_x) ++left;
  });
  return all == 0 ? 0 : left / all;
}

bool spans_the_midline(double left_share) {
  constexpr double lone_side = 0.9;  // of a lung that lies on one side of the spine
  return left_share > 1 - lone_side && left_share < lone_side;
}

// Whether a seed is one lung of a body that stands aslant: mostly on one side, with the other lung mostly on
// the other.
bool has_counterpart(const std::vector<LungSeed>& seeds, const std::vector<double>& left_shares,
                     std::size_t index) {
  constexpr double mostly = 0.65;
  constexpr double least_of_it = 0.25;  // of its volume
  const bool is_left = left_shares[index] > 0.5;
  const auto share_of = [is_left](double left) { return is_left ? left : 1 - left; };
  if (share_of(left_shares[index]) < mostly) return false;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const bool is_large = seeds[i].volume_ml >= least_of_it * seeds[index].volume_ml;
    if (is_large && share_of(left_shares[i]) <= 1 - mostly) return true;
  }
  return false;
}

// Both sides grow into the air around them at the same pace, and neither into the other.
void grow_together(PointLattice& left, PointLattice& right, const PointLattice& air) {
  constexpr int most_steps = 24;
  std::int64_t before = -1;
  for (int step = 0; step < most_steps; ++step) {
    left = spread(std::move(left), without(air, right), 1);
    right = spread(std::move(right), without(air, left), 1);
    const std::int64_t now = left.count() + right.count();
    if (now == before) return;
    before = now;
  }
}

}  // namespace

LungSides lungs_of(const HounsfieldGrid& ct, const ChestFrameParts& chest) {
  constexpr double core_mm = 3;
  constexpr double outline_mm = 6;
  const PointLattice walled = grown(chest.airways, ct.spacing_mm, 1.5);
  PointLattice air = without(both_of(air_of(ct), chest.trunk), walled);
  const BowelGas gas = gas_of(ct, air);
  air = without(air, gas.rim);
  const Components cores =
      components(mask_of_bits(shrunk(air, ct.spacing_mm, core_mm)), Connectivity::faces6);
  LungSides out{PointLattice(ct.extent), PointLattice(ct.extent), "no aerated lung was found"};
  PointLattice other = bits_of_mask(cores.labels.foreground());
  bool was_cut = false;
  const std::vector<LungSeed> seeds = lung_seeds(ct, cores, without(chest.trunk, air_of(ct)));
  std::vector<double> left_shares;
  left_shares.reserve(seeds.size());
  for (const LungSeed& seed : seeds) left_shares.push_back(share_left_of(seed.bits, chest.midline_x));
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const LungSeed& seed = seeds[i];
    other = without(other, seed.bits);
    const bool joined = spans_the_midline(left_shares[i]) && !has_counterpart(seeds, left_shares, i);
    const PointLattice left = joined                 ? left_of_cut(ct, seed.bits, chest.midline_x)
                              : left_shares[i] > 0.5 ? seed.bits
                                                     : PointLattice(ct.extent);
    out.left = either_of(out.left, left);
    out.right = either_of(out.right, without(seed.bits, left));
    out.detail = "apart as connected components";
    was_cut = was_cut || joined;
  }
  if (was_cut) out.detail = "joined at the front or back; cut along the densest line between them";
  grow_together(out.left, out.right, without(air, grown(either_of(other, gas.rim), ct.spacing_mm, core_mm)));
  const PointLattice room = without(without(chest.trunk, chest.airways), gas.core);
  PointLattice left = both_of(slices_filled(closed(out.left, ct.spacing_mm, outline_mm)), room);
  PointLattice right = both_of(slices_filled(closed(out.right, ct.spacing_mm, outline_mm)), room);
  out.left = either_of(out.left, without(left, right));
  out.right = either_of(out.right, without(right, left));
  out.left = without(out.left, out.right);
  return out;
}

}  // namespace fiducial
