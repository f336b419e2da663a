#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/metrics/finding_pair.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

// For tests: a label map drawn box by box. Later boxes cover earlier ones.
class Drawing {
 public:
  using Voxel = std::array<std::int64_t, 3>;

  explicit Drawing(Extent extent) : grid_{extent, {}}, voxels_(static_cast<std::size_t>(extent.count())) {}

  Drawing& box(const Voxel& low, const Voxel& size, std::int32_t label = 1) {
    for (std::int64_t z = low[2]; z < low[2] + size[2]; ++z) {
      for (std::int64_t y = low[1]; y < low[1] + size[1]; ++y) {
        for (std::int64_t x = low[0]; x < low[0] + size[0]; ++x) at({x, y, z}) = label;
      }
    }
    return *this;
  }

  // The first `count` voxels of the row (y, z), from x = begin on.
  Drawing& row(std::int64_t begin, std::int64_t count, std::int64_t y = 0, std::int32_t label = 1) {
    return box({begin, y, 0}, {count, 1, 1}, label);
  }

  std::int32_t& at(const Voxel& voxel) {
    const Extent& extent = grid_.extent;
    return voxels_.at(static_cast<std::size_t>(voxel[0] + extent.x * (voxel[1] + extent.y * voxel[2])));
  }

  LabelMap map() const {
    std::vector<LabelRun> runs;
    const std::int64_t width = grid_.extent.x;
    for (std::size_t i = 0; i < voxels_.size(); ++i) {
      if (voxels_[i] == 0) continue;
      const auto row = static_cast<std::int32_t>(static_cast<std::int64_t>(i) / width);
      const auto x = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % width);
      if (!runs.empty() && runs.back().row == row && runs.back().end == x &&
          runs.back().label == voxels_[i]) {
        ++runs.back().end;
      } else {
        runs.push_back({row, x, x + 1, voxels_[i]});
      }
    }
    return {grid_, std::move(runs)};
  }

 private:
  Grid grid_;
  std::vector<std::int32_t> voxels_;
};

// For tests: boxes of random place, size and label, with some stray voxels.
inline LabelMap random_labels(Random& random, const Extent& extent, int most_boxes) {
  Drawing drawing(extent);
  const std::int64_t boxes = random.between(0, most_boxes);
  for (std::int64_t i = 0; i < boxes; ++i) {
    Drawing::Voxel low{};
    Drawing::Voxel size{};
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      low[a] = random.between(0, extent[axis] - 1);
      size[a] = random.between(1, std::min<std::int64_t>(4, extent[axis] - low[a]));
    }
    drawing.box(low, size, static_cast<std::int32_t>(random.between(1, 5)));
  }
  for (std::int64_t i = random.between(0, 5); i > 0; --i) {
    drawing.at({random.between(0, extent.x - 1), random.between(0, extent.y - 1),
                random.between(0, extent.z - 1)}) = 7;
  }
  return drawing.map();
}

// For tests: a pair of which everything is known that any metric asks for.
inline FindingPair known_pair(LabelMap reference, LabelMap prediction) {
  return {
      std::move(reference), std::move(prediction), {}, {.spacing_mm = Vec3{0.7, 0.8, 1.5}, .focal = true}};
}

// For tests: the score of a registered metric.
inline Score score_of(std::string_view id, const FindingPair& pair) {
  const MaskMetric* metric = find_mask_metric(id);
  FIDUCIAL_ASSERT(metric != nullptr);
  return metric->score(pair);
}

}  // namespace fiducial
