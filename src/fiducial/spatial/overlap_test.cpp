#include "fiducial/spatial/overlap.h"

#include <map>
#include <tuple>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

using Labels = std::vector<std::int32_t>;

Grid overlap_grid(std::int64_t x, std::int64_t y, std::int64_t z) { return {{x, y, z}, {}}; }

LabelMap map_of(const Grid& grid, const Labels& labels) {
  std::vector<LabelRun> runs;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(labels.size()); ++i) {
    const std::int32_t label = labels[static_cast<std::size_t>(i)];
    const auto row = static_cast<std::int32_t>(i / grid.extent.x);
    const auto x = static_cast<std::int32_t>(i % grid.extent.x);
    if (label == 0) continue;
    if (!runs.empty() && runs.back().row == row && runs.back().end == x && runs.back().label == label) {
      ++runs.back().end;
    } else {
      runs.push_back({row, x, x + 1, label});
    }
  }
  return {grid, runs};
}

Labels random_labels(Random& random, const Grid& grid) {
  Labels out(static_cast<std::size_t>(grid.extent.count()));
  const double background = random.uniform();
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = i > 0 && random.below(3) > 0    ? out[i - 1]
             : random.uniform() < background ? 0
                                             : static_cast<std::int32_t>(random.between(-2, 300));
  }
  return out;
}

TEST(Overlap, counts_what_voxel_loops_count) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Grid grid = overlap_grid(random.between(1, 20), random.between(1, 6), random.between(1, 4));
    const Labels a = random_labels(random, grid);
    const Labels b = random_labels(random, grid);
    Overlap expected;
    for (std::size_t i = 0; i < a.size(); ++i) {
      expected.reference += a[i] != 0 ? 1 : 0;
      expected.prediction += b[i] != 0 ? 1 : 0;
      expected.both += a[i] != 0 && b[i] != 0 ? 1 : 0;
    }
    ASSERT_EQ(overlap(map_of(grid, a).foreground(), map_of(grid, b).foreground()).value(), expected);
  }
}

TEST(Overlap, of_a_mask_with_itself_is_all_of_it) {
  const Mask mask = Mask::from_sorted_runs(overlap_grid(9, 2, 1), {{0, 1, 4}, {1, 0, 9}});
  EXPECT_EQ(overlap(mask, mask).value(), (Overlap{12, 12, 12}));
}

TEST(Overlap, refuses_masks_of_different_extents) {
  EXPECT_EQ(overlap(Mask(overlap_grid(1, 2, 3)), Mask(overlap_grid(3, 2, 1))).error().code(),
            ErrorCode::invalid_data);
  EXPECT_FALSE(overlap_table(LabelMap(overlap_grid(1, 2, 3)), LabelMap(overlap_grid(3, 2, 1))).ok());
}

TEST(OverlapTable, counts_what_voxel_loops_count) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Grid grid = overlap_grid(random.between(1, 20), random.between(1, 6), random.between(1, 4));
    const Labels a = random_labels(random, grid);
    const Labels b = random_labels(random, grid);
    std::map<std::int32_t, std::int64_t> of_a;
    std::map<std::int32_t, std::int64_t> of_b;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int64_t> shared;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != 0) ++of_a[a[i]];
      if (b[i] != 0) ++of_b[b[i]];
      if (a[i] != 0 && b[i] != 0) ++shared[{a[i], b[i]}];
    }
    const OverlapTable table = overlap_table(map_of(grid, a), map_of(grid, b)).value();
    const auto rows = [](const std::vector<OverlapTable::Label>& labels) {
      std::vector<std::pair<std::int32_t, std::int64_t>> out;
      for (const auto& label : labels) out.emplace_back(label.label, label.voxels);
      return out;
    };
    std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, std::int64_t>> pairs;
    for (const OverlapTable::Pair& pair : table.pairs) {
      pairs.push_back({{table.reference.at(static_cast<std::size_t>(pair.reference_index)).label,
                        table.prediction.at(static_cast<std::size_t>(pair.prediction_index)).label},
                       pair.voxels});
    }
    ASSERT_EQ(rows(table.reference),
              (std::vector<std::pair<std::int32_t, std::int64_t>>(of_a.begin(), of_a.end())));
    ASSERT_EQ(rows(table.prediction),
              (std::vector<std::pair<std::int32_t, std::int64_t>>(of_b.begin(), of_b.end())));
    ASSERT_EQ(pairs, decltype(pairs)(shared.begin(), shared.end()));
  }
}

TEST(OverlapTable, is_empty_for_empty_maps) {
  const OverlapTable table =
      overlap_table(LabelMap(overlap_grid(2, 2, 2)), LabelMap(overlap_grid(2, 2, 2))).value();
  EXPECT_TRUE(table.reference.empty() && table.prediction.empty() && table.pairs.empty());
}

}  // namespace
}  // namespace fiducial
