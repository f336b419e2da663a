#include "fiducial/segment/chest_parts.h"

#include <algorithm>
#include <cmath>

#include "fiducial/spatial/components.h"

namespace fiducial {

namespace {

constexpr int outside_air_hu = -950;  // air around a patient; aerated lung is denser

// Values of a set, counted.
class HuCounts {
 public:
  HuCounts() : bins_(4096) {}

  void add(int hu) {
    ++bins_[static_cast<std::size_t>(std::clamp(hu + 1024, 0, 4095))];
    ++count_;
  }
  std::int64_t count() const { return count_; }
  int median() const {
    std::int64_t below = 0;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      below += bins_[i];
      if (2 * below >= count_) return static_cast<int>(i) - 1024;
    }
    return 0;
  }

 private:
  std::vector<std::int32_t> bins_;
  std::int64_t count_ = 0;
};

PointLattice largest_component(const PointLattice& bits) {
  const Components parts = components(mask_of_bits(bits), Connectivity::faces6);
  if (parts.count() == 0) return bits;
  const auto most = std::max_element(parts.voxels.begin(), parts.voxels.end());
  return bits_of_mask(parts.labels.where(static_cast<std::int32_t>(most - parts.voxels.begin()) + 1));
}

// Whether what is beside the trunk in a slice is the air around it: dark, and at the edge of the picture. A
// lung that a narrow field of view cuts off is at the edge too, and denser.
std::vector<bool> outside_parts(const HounsfieldGrid& ct, const Components& parts, std::int64_t z) {
  std::vector<bool> at_edge(static_cast<std::size_t>(parts.count()) + 1, false);
  for (const LabelRun& run : parts.labels.runs()) {
    const bool touches =
        run.begin == 0 || run.end == ct.extent.x || run.row == 0 || run.row == ct.extent.y - 1;
    if (touches) at_edge[static_cast<std::size_t>(run.label)] = true;
  }
  for (std::int32_t part = 1; part <= parts.count(); ++part) {
    if (!at_edge[static_cast<std::size_t>(part)]) continue;
    HuCounts counts;
    for (const LabelRun& run : parts.labels.runs()) {
      if (run.label != part) continue;
      for (std::int32_t x = run.begin; x < run.end; ++x) counts.add(ct.at(x, run.row, z));
    }
    at_edge[static_cast<std::size_t>(part)] = counts.median() < outside_air_hu;
  }
  return at_edge;
}

}  // namespace

int median_hu(const HounsfieldGrid& ct, const PointLattice& bits) {
  HuCounts counts;
  bits.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) { counts.add(ct.at(x, y, z)); });
  return counts.count() == 0 ? 0 : counts.median();
}

PointLattice air_of(const HounsfieldGrid& ct) {
  return bits_where(ct.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return ct.at(x, y, z) < lung_border_hu;
  });
}

PointLattice trunk_of(const HounsfieldGrid& ct) {
  constexpr double table_mm = 2.5;          // couches, sheets and cables are thinner than twice that
  constexpr int lightest_tissue_hu = -250;  // fat is denser; mattresses are not
  const PointLattice solid = bits_where(ct.extent, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return ct.at(x, y, z) >= lightest_tissue_hu;
  });
  const PointLattice core = largest_component(shrunk(solid, ct.spacing_mm, table_mm));
  const PointLattice walls = both_of(grown(core, ct.spacing_mm, table_mm + 2), solid);
  PointLattice trunk(ct.extent);
  const PointLattice rest = outside_of(walls);
  for (std::int64_t z = 0; z < ct.extent.z; ++z) {
    const Components parts = components(mask_of_slice(rest, z), Connectivity::faces6);
    const std::vector<bool> outside = outside_parts(ct, parts, z);
    for (std::int64_t y = 0; y < ct.extent.y; ++y) {
      std::copy_n(walls.row(y, z), walls.words(), trunk.row(y, z));
    }
    // A slice without any wall is beside the patient.
    if (mask_of_slice(walls, z).empty()) continue;
    for (const LabelRun& run : parts.labels.runs()) {
      if (!outside[static_cast<std::size_t>(run.label)]) set_bits(trunk.row(run.row, z), run.begin, run.end);
    }
  }
  return trunk;
}

PointLattice bones_of(const HounsfieldGrid& ct, const PointLattice& trunk) {
  constexpr int spongy_hu = 150;
  constexpr int compact_hu = 250;
  constexpr double least_ml = 0.5;
  const auto inside = [&trunk](std::int64_t x, std::int64_t y, std::int64_t z) {
    return (trunk.row(y, z)[x / 64] >> (x % 64) & 1) != 0;
  };
  const Components parts =
      components(mask_of_bits(bits_where(ct.extent,
                                         [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                                           return ct.at(x, y, z) >= spongy_hu && inside(x, y, z);
                                         })),
                 Connectivity::corners26);
  std::vector<bool> compact(static_cast<std::size_t>(parts.count()) + 1, false);
  const auto row_of = [&](const LabelRun& run) {
    return ct.hu.data() + static_cast<std::size_t>(run.row) * static_cast<std::size_t>(ct.extent.x);
  };
  for (const LabelRun& run : parts.labels.runs()) {
    const std::int16_t* row = row_of(run);
    const bool dense = std::any_of(row + run.begin, row + run.end, [](int hu) { return hu >= compact_hu; });
    if (dense) compact[static_cast<std::size_t>(run.label)] = true;
  }
  return bits_of_mask(parts.labels
                          .relabelled([&](std::int32_t label) {
                            const auto voxels = parts.voxels[static_cast<std::size_t>(label) - 1];
                            const bool large = static_cast<double>(voxels) * ct.voxel_ml() >= least_ml;
                            return large && compact[static_cast<std::size_t>(label)] ? 1 : 0;
                          })
                          .foreground());
}

namespace {

// The trunk as the picture shows it from side to side, in voxels, on average over slices.
struct TrunkFrame {
  double low_x = 0;
  double high_x = 0;
  double middle_x = 0;
  double depth = 0;            // from front to back
  bool goes_on_below = false;  // beyond the first column of the picture
  bool goes_on_above = false;  // beyond its last one

  bool one_side_is_cut() const { return goes_on_below != goes_on_above; }
};

TrunkFrame frame_of(const HounsfieldGrid& ct, const PointLattice& trunk) {
  constexpr double cut_share = 0.5;  // of the depth of a trunk that stands at the edge of the picture
  TrunkFrame out{.middle_x = static_cast<double>(ct.extent.x) / 2};
  double slices = 0;
  double at_first = 0;
  double at_last = 0;
  double low = 0;
  double high = 0;
  for (std::int64_t z = 0; z < ct.extent.z; ++z) {
    const Mask slice = mask_of_slice(trunk, z);
    const VoxelBox box = slice.bounds();
    if (box.high[0] == box.low[0]) continue;
    ++slices;
    low += static_cast<double>(box.low[0]);
    high += static_cast<double>(box.high[0]);
    out.depth += static_cast<double>(box.high[1] - box.low[1]);
    for (const MaskRun& run : slice.runs()) {
      at_first += run.begin == 0 ? 1 : 0;
      at_last += run.end == ct.extent.x ? 1 : 0;
    }
  }
  if (slices == 0) return out;
  out.goes_on_below = at_first > cut_share * out.depth;
  out.goes_on_above = at_last > cut_share * out.depth;
  out.low_x = low / slices;
  out.high_x = high / slices;
  out.middle_x = (out.low_x + out.high_x) / 2;
  out.depth /= slices;
  return out;
}

// How much bone of the back half each column holds, added up from the first column on.
std::vector<double> bone_before_columns(const HounsfieldGrid& ct, const PointLattice& trunk,
                                        const PointLattice& bones) {
  constexpr double back_share = 0.45;
  std::vector<double> columns(static_cast<std::size_t>(ct.extent.x) + 1, 0.0);
  for (std::int64_t z = 0; z < ct.extent.z; ++z) {
    const VoxelBox box = mask_of_slice(trunk, z).bounds();
    const double back =
        static_cast<double>(box.low[1]) + back_share * static_cast<double>(box.high[1] - box.low[1]);
    const Mask slice = mask_of_slice(bones, z);
    for (const MaskRun& run : slice.runs()) {
      if (run.row < back) continue;
      for (std::int32_t x = run.begin; x < run.end; ++x) ++columns[static_cast<std::size_t>(x) + 1];
    }
  }
  for (std::size_t i = 1; i < columns.size(); ++i) columns[i] += columns[i - 1];
  return columns;
}

// A strip from front to back as wide as a spine.
struct BoneStrip {
  double centre_x = 0;
  double bone = 0;
};

// A spine that stands aslant passes through many strips alike: the middle of those.
double middle_of_best(const std::vector<BoneStrip>& strips, double most) {
  constexpr double alike = 0.95;
  double sum = 0;
  double count = 0;
  for (const BoneStrip& strip : strips) {
    if (strip.bone < alike * most) continue;
    sum += strip.centre_x;
    ++count;
  }
  return sum / count;
}

}  // namespace

// The spine is the strip with the most bone. A picture that cuts the body off on one side may show half of
// the spine or none: then a strip of ribs near the other side's skin is no spine.
double midline_of(const HounsfieldGrid& ct, const PointLattice& trunk, const PointLattice& bones) {
  constexpr double spine_width_mm = 36;
  constexpr double least_half_width = 0.6;  // of a trunk's depth; half a chest is wider
  constexpr double least_bone_ml = 5;
  const TrunkFrame frame = frame_of(ct, trunk);
  const std::vector<double> before = bone_before_columns(ct, trunk, bones);
  const auto width = std::max<std::int64_t>(1, std::llround(spine_width_mm / ct.spacing_mm[0]));
  const std::int64_t hidden = frame.one_side_is_cut() ? width / 2 : 0;
  const double half = least_half_width * frame.depth * ct.spacing_mm[1] / ct.spacing_mm[0];
  double where_unknown = frame.middle_x;
  if (frame.one_side_is_cut()) where_unknown = frame.goes_on_below ? 0 : static_cast<double>(ct.extent.x);
  std::vector<BoneStrip> strips;
  double most = 0;
  for (std::int64_t x = frame.goes_on_below ? -hidden : 0;
       x + width <= ct.extent.x + (frame.goes_on_above ? hidden : 0); ++x) {
    const double centre = static_cast<double>(x) + static_cast<double>(width) / 2;
    const double to_skin = frame.goes_on_below ? frame.high_x - centre : centre - frame.low_x;
    if (frame.one_side_is_cut() && to_skin < half) continue;
    const std::int64_t low = std::max<std::int64_t>(x, 0);
    const std::int64_t high = std::min(x + width, ct.extent.x);
    const double bone = (before[static_cast<std::size_t>(high)] - before[static_cast<std::size_t>(low)]) *
                        static_cast<double>(width) / static_cast<double>(high - low);
    strips.push_back({centre, bone});
    most = std::max(most, bone);
  }
  return most * ct.voxel_ml() < least_bone_ml ? where_unknown : middle_of_best(strips, most);
}

}  // namespace fiducial
