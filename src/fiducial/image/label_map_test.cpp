#include "fiducial/image/label_map.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

const Grid small_grid{{10, 2, 1}, {}};
const LabelMap labels(small_grid, {{0, 1, 3, 5}, {0, 3, 4, 2}, {0, 6, 8, 5}, {1, 0, 10, 7}});

std::vector<MaskRun> runs_of(const Mask& mask) { return {mask.runs().begin(), mask.runs().end()}; }
std::vector<LabelRun> runs_of(const LabelMap& map) { return {map.runs().begin(), map.runs().end()}; }

TEST(LabelMap, counts_voxels_and_lists_labels_ascending) {
  EXPECT_EQ(labels.count(), 2 + 1 + 2 + 10);
  EXPECT_EQ(labels.labels(), (std::vector<std::int32_t>{2, 5, 7}));
  EXPECT_TRUE(LabelMap(small_grid).empty());
  EXPECT_TRUE(LabelMap(small_grid).labels().empty());
}

TEST(LabelMap, has_a_foreground_that_joins_touching_labels) {
  EXPECT_EQ(runs_of(labels.foreground()), (std::vector<MaskRun>{{0, 1, 4}, {0, 6, 8}, {1, 0, 10}}));
}

TEST(LabelMap, gives_the_voxels_of_one_label) {
  EXPECT_EQ(runs_of(labels.where(5)), (std::vector<MaskRun>{{0, 1, 3}, {0, 6, 8}}));
  EXPECT_TRUE(labels.where(99).empty());
}

TEST(LabelMap, keeps_its_voxels_on_another_affine) {
  const LabelMap moved = labels.on_grid(Affine::scaling({1, 1, 2}));
  EXPECT_EQ(runs_of(moved), runs_of(labels));
  EXPECT_EQ(moved.grid(), (Grid{{10, 2, 1}, Affine::scaling({1, 1, 2})}));
}

TEST(LabelMap, merges_neighbours_that_become_equal) {
  EXPECT_EQ(runs_of(labels.relabelled([](std::int32_t) { return 1; })),
            (std::vector<LabelRun>{{0, 1, 4, 1}, {0, 6, 8, 1}, {1, 0, 10, 1}}));
}

TEST(LabelMap, drops_runs_that_become_background) {
  EXPECT_EQ(runs_of(labels.relabelled([](std::int32_t label) { return label == 5 ? 0 : label; })),
            (std::vector<LabelRun>{{0, 3, 4, 2}, {1, 0, 10, 7}}));
}

}  // namespace
}  // namespace fiducial
