#include "fiducial/spatial/components.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <gtest/gtest.h>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/base/reference_values.h"
#include "fiducial/base/sha256.h"

namespace fiducial {
namespace {

using Voxel = std::array<std::int64_t, 3>;

constexpr Connectivity every_connectivity[] = {Connectivity::faces6, Connectivity::edges18,
                                               Connectivity::corners26};

Grid grid_of(std::int64_t x, std::int64_t y, std::int64_t z) { return {{x, y, z}, {}}; }

std::size_t place(const Extent& extent, const Voxel& at) {
  return static_cast<std::size_t>(at[0] + extent.x * (at[1] + extent.y * at[2]));
}

bool inside(const Extent& extent, const Voxel& at) {
  return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < extent.x && at[1] < extent.y && at[2] < extent.z;
}

Mask random_mask(Random& random, const Grid& grid, double density) {
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(grid.extent.count()));
  for (std::uint8_t& voxel : voxels) voxel = random.uniform() < density ? 1 : 0;
  return Mask::from_dense(grid, voxels);
}

// Ids of a label map, one a voxel, x fastest.
std::vector<std::int32_t> dense(const LabelMap& labels) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(labels.extent().count()));
  for (const LabelRun& run : labels.runs()) {
    for (std::int64_t x = run.begin; x < run.end; ++x)
      out[static_cast<std::size_t>(run.row * labels.extent().x + x)] = run.label;
  }
  return out;
}

// Calls visit for every voxel of the extent in C order of the array [x, y, z].
template <typename Visit>
void in_c_order(const Extent& extent, Visit visit) {
  for (std::int64_t x = 0; x < extent.x; ++x) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t z = 0; z < extent.z; ++z) visit(Voxel{x, y, z});
    }
  }
}

std::vector<Voxel> neighbours(const Voxel& at, Connectivity connectivity) {
  const int most = connectivity == Connectivity::faces6 ? 1 : connectivity == Connectivity::edges18 ? 2 : 3;
  std::vector<Voxel> out;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dz = -1; dz <= 1; ++dz) {
        const int steps = std::abs(dx) + std::abs(dy) + std::abs(dz);
        if (steps > 0 && steps <= most) out.push_back({at[0] + dx, at[1] + dy, at[2] + dz});
      }
    }
  }
  return out;
}

// Floods from every voxel that has no id yet, in C order.
std::vector<std::int32_t> flooded(const Mask& mask, Connectivity connectivity) {
  const Extent& extent = mask.extent();
  const std::vector<std::uint8_t> voxels = mask.dense();
  std::vector<std::int32_t> ids(voxels.size());
  std::int32_t count = 0;
  in_c_order(extent, [&](const Voxel& start) {
    if (voxels[place(extent, start)] == 0 || ids[place(extent, start)] != 0) return;
    ids[place(extent, start)] = ++count;
    std::vector<Voxel> front{start};
    while (!front.empty()) {
      const Voxel at = front.back();
      front.pop_back();
      for (const Voxel& next : neighbours(at, connectivity)) {
        if (!inside(extent, next) || voxels[place(extent, next)] == 0 || ids[place(extent, next)] != 0)
          continue;
        ids[place(extent, next)] = count;
        front.push_back(next);
      }
    }
  });
  return ids;
}

TEST(Components, are_what_a_flood_fill_finds_in_c_order) {
  Random random(1);
  for (int trial = 0; trial < 150; ++trial) {
    const Grid grid = grid_of(random.between(1, 14), random.between(1, 9), random.between(1, 9));
    const Mask mask = random_mask(random, grid, random.uniform());
    for (const Connectivity connectivity : every_connectivity) {
      const Components found = components(mask, connectivity);
      ASSERT_EQ(dense(found.labels), flooded(mask, connectivity)) << grid.extent.text();
      ASSERT_EQ(found.labels.grid(), grid);
    }
  }
}

TEST(Components, know_their_sizes) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Mask mask = random_mask(random, grid_of(12, 7, 5), random.uniform());
    for (const Connectivity connectivity : every_connectivity) {
      const Components found = components(mask, connectivity);
      const std::vector<std::int32_t> ids = dense(found.labels);
      ASSERT_EQ(found.count(), *std::max_element(ids.begin(), ids.end()));
      for (std::int32_t id = 1; id <= found.count(); ++id) {
        ASSERT_EQ(found.voxels[static_cast<std::size_t>(id) - 1], std::count(ids.begin(), ids.end(), id));
      }
    }
  }
}

TEST(Components, are_none_in_an_empty_mask) {
  const Components found = components(Mask(grid_of(4, 5, 6)), Connectivity::faces6);
  EXPECT_EQ(found.count(), 0);
  EXPECT_TRUE(found.labels.empty());
}

TEST(Components, are_given_up_where_the_time_of_the_case_is_over) {
  const Mask square = Mask::from_dense(grid_of(2, 2, 1), std::vector<std::uint8_t>{1, 1, 1, 1});
  const CaseBudget used_up({.seconds = -1});
  EXPECT_EQ(components(square, Connectivity::faces6).count(), 2);
  EXPECT_TRUE(used_up.overdrawn());
}

TEST(Components, tell_faces_edges_and_corners_apart) {
  std::vector<std::uint8_t> voxels(8);
  voxels[0] = 1;
  const auto counts_with = [&](std::size_t other) {
    std::vector<std::uint8_t> both = voxels;
    both[other] = 1;
    const Mask mask = Mask::from_dense(grid_of(2, 2, 2), both);
    std::vector<std::int32_t> counts;
    for (const Connectivity connectivity : every_connectivity)
      counts.push_back(components(mask, connectivity).count());
    return counts;
  };
  EXPECT_EQ(counts_with(1), (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(counts_with(2), (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(counts_with(4), (std::vector<std::int32_t>{1, 1, 1}));
  EXPECT_EQ(counts_with(3), (std::vector<std::int32_t>{2, 1, 1}));
  EXPECT_EQ(counts_with(5), (std::vector<std::int32_t>{2, 1, 1}));
  EXPECT_EQ(counts_with(6), (std::vector<std::int32_t>{2, 1, 1}));
  EXPECT_EQ(counts_with(7), (std::vector<std::int32_t>{2, 2, 1}));
}

TEST(Components, never_touch_across_the_border_of_a_slice) {
  std::vector<std::uint8_t> voxels(9 * 2);
  voxels[6] = 1;  // (0, 2, 0): the last row of the first slice
  voxels[9] = 1;  // (0, 0, 1): the first row of the second
  EXPECT_EQ(components(Mask::from_dense(grid_of(3, 3, 2), voxels), Connectivity::corners26).count(), 2);
}

TEST(WithoutSmall, keeps_large_components_in_order_under_new_ids) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Components all = components(random_mask(random, grid_of(12, 7, 5), 0.3), Connectivity::faces6);
    const Components kept = without_small(all, 3);
    std::vector<std::int32_t> new_id(static_cast<std::size_t>(all.count()) + 1);
    std::vector<std::int64_t> sizes;
    for (std::int32_t id = 1; id <= all.count(); ++id) {
      const std::int64_t size = all.voxels[static_cast<std::size_t>(id) - 1];
      if (size < 3) continue;
      sizes.push_back(size);
      new_id[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(sizes.size());
    }
    std::vector<std::int32_t> expected = dense(all.labels);
    for (std::int32_t& id : expected) id = new_id[static_cast<std::size_t>(id)];
    ASSERT_EQ(dense(kept.labels), expected);
    ASSERT_EQ(kept.voxels, sizes);
  }
}

TEST(WithoutSmall, keeps_a_component_of_exactly_the_least_size) {
  const Components all =
      components(Mask::from_sorted_runs(grid_of(20, 1, 1), {{0, 0, 9}, {0, 10, 20}}), Connectivity::faces6);
  EXPECT_EQ(without_small(all, 10).voxels, std::vector<std::int64_t>{10});
  EXPECT_EQ(without_small(all, 9).voxels, (std::vector<std::int64_t>{9, 10}));
  EXPECT_TRUE(without_small(all, 11).voxels.empty());
}

const Components four_runs =
    components(Mask::from_sorted_runs({{30, 1, 1}, {}}, {{0, 0, 2}, {0, 4, 9}, {0, 10, 12}, {0, 14, 20}}),
               Connectivity::faces6);

TEST(Largest, keeps_old_ids_and_puts_zero_for_what_is_dropped) {
  const Components two = largest(four_runs, 2);
  EXPECT_EQ(two.voxels, (std::vector<std::int64_t>{0, 5, 0, 6}));
  EXPECT_EQ(two.labels.labels(), (std::vector<std::int32_t>{2, 4}));
}

TEST(Largest, keeps_the_lower_id_among_equals) {
  EXPECT_EQ(largest(four_runs, 3).voxels, (std::vector<std::int64_t>{2, 5, 0, 6}));
}

TEST(Largest, keeps_all_when_there_are_no_more) {
  EXPECT_EQ(largest(four_runs, 4).labels, four_runs.labels);
  EXPECT_EQ(largest(four_runs, 99).voxels, four_runs.voxels);
  EXPECT_TRUE(largest(four_runs, 0).labels.empty());
}

Mask mask_of_bits(const Json& expected) {
  const Json::Array& shape = *expected.find("shape")->as_array();
  const Extent extent{*shape[0].as_integer(), *shape[1].as_integer(), *shape[2].as_integer()};
  const Bytes bits = base64_decoded(*expected.find("bits")->as_string());
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(extent.count()));
  std::size_t index = 0;
  in_c_order(extent, [&](const Voxel& at) {
    voxels[place(extent, at)] =
        static_cast<std::uint8_t>(std::to_integer<unsigned>(bits[index / 8]) >> (7 - index % 8) & 1U);
    ++index;
  });
  return Mask::from_dense({extent, {}}, voxels);
}

std::string ids_in_c_order_sha256(const LabelMap& labels) {
  const std::vector<std::int32_t> ids = dense(labels);
  std::vector<std::int32_t> ordered;
  in_c_order(labels.extent(), [&](const Voxel& at) { ordered.push_back(ids[place(labels.extent(), at)]); });
  return sha256(std::as_bytes(std::span(ordered))).hex();
}

TEST(ComponentsReference, ids_equal_those_of_scipy_and_cc3d) {
  const Json document = reference_values("components.json");
  ASSERT_GE(document.find("cases")->as_array()->size(), 29U);
  for (const Json& expected : *document.find("cases")->as_array()) {
    const Mask mask = mask_of_bits(expected);
    for (const Json& result : *expected.find("results")->as_array()) {
      const std::int64_t neighbour_count = *result.find("connectivity")->as_integer();
      SCOPED_TRACE(*expected.find("name")->as_string() + ", connectivity " + decimal(neighbour_count));
      const Components found = components(mask, static_cast<Connectivity>(neighbour_count));
      EXPECT_EQ(found.count(), *result.find("count")->as_integer());
      EXPECT_EQ(found.count(), *result.find("cc3d_count")->as_integer());
      EXPECT_EQ(ids_in_c_order_sha256(found.labels), *result.find("scipy_ids_sha256")->as_string());
      EXPECT_EQ(ids_in_c_order_sha256(found.labels), *result.find("cc3d_ids_sha256")->as_string());
    }
  }
}

TEST(Components, of_labels_are_those_of_each_label_alone) {
  Random random(11, "components of labels");
  const Grid grid = grid_of(9, 8, 7);
  for (int round = 0; round < 60; ++round) {
    const LabelMap labels = components(random_mask(random, grid, 0.4), Connectivity::edges18)
                                .labels.relabelled([](std::int32_t id) { return id % 3 + 1; });
    std::vector<LabelRun> split;  // cut runs, so that labels touch
    for (LabelRun run : labels.runs()) {
      if (run.end - run.begin > 1) {
        split.push_back({run.row, run.begin, run.begin + 1, 9});
        ++run.begin;
      }
      split.push_back(run);
    }
    const LabelMap touching(grid, split);
    const Components all = components(touching, Connectivity::edges18);
    std::int32_t count = 0;
    for (const std::int32_t label : touching.labels()) {
      const Components alone = components(touching.where(label), Connectivity::edges18);
      count += alone.count();
      for (const LabelRun& run : alone.labels.runs()) {
        const auto voxel = static_cast<std::size_t>(run.row * grid.extent.x + run.begin);
        const std::int32_t id = dense(all.labels)[voxel];
        EXPECT_EQ(all.voxels[static_cast<std::size_t>(id) - 1],
                  alone.voxels[static_cast<std::size_t>(run.label) - 1]);
      }
    }
    EXPECT_EQ(all.count(), count) << round;
  }
}

TEST(Components, are_kept_under_the_ids_of_those_that_are_large_enough) {
  Random random(12, "kept ids");
  for (int round = 0; round < 60; ++round) {
    const Components all = components(random_mask(random, grid_of(12, 9, 8), 0.15), Connectivity::faces6);
    const std::vector<std::int32_t> ids = kept_ids(all.voxels, 2, 5);
    EXPECT_EQ(
        all.labels.relabelled([&ids](std::int32_t id) { return ids[static_cast<std::size_t>(id) - 1]; }),
        largest(without_small(all, 2), 5).labels);
  }
}

}  // namespace
}  // namespace fiducial
