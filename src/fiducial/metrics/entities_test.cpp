#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

constexpr Extent entity_slab{64, 8, 4};
constexpr Extent entity_cube{20, 16, 12};

struct EntityCounts {
  std::int64_t tp = 0;
  std::int64_t fp = 0;
  std::int64_t fn = 0;
  friend bool operator==(const EntityCounts&, const EntityCounts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const EntityCounts& n) {
    return out << n.tp << "/" << n.fp << "/" << n.fn;
  }
};

EntityCounts entity_counts(const LabelMap& reference, const LabelMap& prediction) {
  const FindingPair pair(reference, prediction, {});
  const InstanceCounts& n = pair.entity_counts();
  return {n.true_positives, n.false_positives, n.false_negatives};
}

LabelMap binary(const LabelMap& map) {
  return map.relabelled([](std::int32_t) { return 1; });
}

LabelMap drawn_nothing(const Extent& extent) { return LabelMap(Grid{extent, {}}); }

Drawing drawing_of(const LabelMap& map) {
  Drawing out(map.extent());
  for (const LabelRun& run : map.runs()) {
    for (std::int64_t x = run.begin; x < run.end; ++x)
      out.at({x, run.row % map.extent().y, run.row / map.extent().y}) = run.label;
  }
  return out;
}

// Whether a voxel and all around it are background in both.
bool is_free(Drawing& a, Drawing& b, const Drawing::Voxel& at) {
  for (std::int64_t z = at[2] - 1; z <= at[2] + 1; ++z) {
    for (std::int64_t y = at[1] - 1; y <= at[1] + 1; ++y) {
      for (std::int64_t x = at[0] - 1; x <= at[0] + 1; ++x) {
        if (a.at({x, y, z}) != 0 || b.at({x, y, z}) != 0) return false;
      }
    }
  }
  return true;
}

// The three shares that are in the headline; what is undefined counts as 0.
std::vector<double> shares_of(const LabelMap& reference, const LabelMap& prediction) {
  const FindingPair pair(reference, prediction, {});
  std::vector<double> out;
  for (const char* id : {"instance_precision_entity18", "instance_recall_entity18", "instance_f1_entity18"}) {
    const Score score = score_of(id, pair);
    out.push_back(score.defined() ? score.value() : 0);
  }
  return out;
}

TEST(Entities, of_the_reference_and_of_its_binary_copy_are_all_found) {
  Random random(1, "perfect entities");
  int touching = 0;
  for (int round = 0; round < 300; ++round) {
    const LabelMap reference = random_labels(random, entity_cube, 8);
    if (reference.empty()) continue;
    const auto entities = static_cast<std::int64_t>(reference.labels().size());
    const FindingPair old(reference, binary(reference), {});
    touching += score_of("instance_f1_strict18", old).value() < 1 ? 1 : 0;
    for (const LabelMap& prediction : {reference, binary(reference)}) {
      EXPECT_EQ(entity_counts(reference, prediction), (EntityCounts{entities, 0, 0})) << round;
      EXPECT_EQ(shares_of(reference, prediction), (std::vector<double>{1, 1, 1})) << round;
      EXPECT_EQ(score_of("matched_dice_entity18", FindingPair(reference, prediction, {})).value(), 1);
    }
  }
  EXPECT_GT(touching, 100) << "too few references of touching, scattered or tiny entities";
}

TEST(Entities, that_touch_are_found_by_one_component) {
  const LabelMap reference = Drawing(entity_slab).row(0, 12, 0, 3).row(12, 20, 0, 200).map();
  EXPECT_EQ(entity_counts(reference, Drawing(entity_slab).row(0, 32).map()), (EntityCounts{2, 0, 0}));
}

TEST(Entities, in_parts_are_found_by_several_components) {
  const LabelMap reference = Drawing(entity_slab).row(0, 10, 0, 5).row(0, 10, 4, 5).row(30, 10, 0, 5).map();
  EXPECT_EQ(entity_counts(reference, binary(reference)), (EntityCounts{1, 0, 0}));
}

TEST(Entities, apart_from_each_other_are_not_found_by_a_component_that_joins_them) {
  const LabelMap reference = Drawing(entity_slab).row(0, 20, 0, 1).row(21, 30, 0, 2).map();
  EXPECT_EQ(entity_counts(reference, Drawing(entity_slab).row(0, 51).map()), (EntityCounts{1, 0, 1}));
}

TEST(Entities, are_charged_the_whole_excess_of_a_component_that_they_share) {
  // 10 and 40 voxels that touch, and 81 voxels of background: Dice is 0.198 for the first, 0.497 for the
  // other.
  const LabelMap reference = Drawing(entity_slab).row(0, 10, 0, 1).row(10, 40, 0, 2).map();
  Drawing blob = Drawing(entity_slab).row(0, 50).row(0, 64, 1);
  EXPECT_EQ(entity_counts(reference, Drawing(blob).row(0, 17, 2).map()), (EntityCounts{1, 0, 1}));
  EXPECT_EQ(entity_counts(reference, blob.row(0, 16, 2).map()), (EntityCounts{2, 0, 0}));
}

TEST(Entities, are_not_found_by_components_that_graze_them) {
  const LabelMap reference = Drawing(entity_slab).box({0, 0, 0}, {20, 4, 2}).map();
  const LabelMap prediction = Drawing(entity_slab)
                                  .box({0, 0, 0}, {20, 2, 2})
                                  .box({5, 3, 1}, {1, 5, 3})
                                  .box({9, 3, 1}, {1, 5, 3})
                                  .map();
  EXPECT_EQ(entity_counts(reference, prediction), (EntityCounts{1, 2, 0}));
}

TEST(Entities, of_a_prediction_are_kept_apart_by_its_labels) {
  const LabelMap reference = Drawing(entity_slab).row(0, 10, 0, 1).map();
  const LabelMap apart = Drawing(entity_slab).row(0, 10, 0, 1).box({10, 0, 0}, {50, 2, 1}, 2).map();
  EXPECT_EQ(entity_counts(reference, apart), (EntityCounts{1, 1, 0}));
  EXPECT_EQ(entity_counts(reference, binary(apart)), (EntityCounts{0, 1, 1}));
}

TEST(Entities, share_one_false_positive_for_every_ten_voxels_of_dust) {
  const LabelMap reference = Drawing(entity_slab).row(0, 10).map();
  Drawing nine = Drawing(entity_slab).row(0, 10);
  for (int i = 0; i < 9; ++i) nine.at({2 * i, 4, 2}) = 1;
  EXPECT_EQ(entity_counts(reference, nine.map()), (EntityCounts{1, 0, 0}));
  nine.at({40, 4, 2}) = 1;
  EXPECT_EQ(entity_counts(reference, nine.map()), (EntityCounts{1, 1, 0}));
}

TEST(Entities, never_gain_by_dust_in_the_background) {
  Random random(2, "dust");
  for (int round = 0; round < 200; ++round) {
    const LabelMap reference = random_labels(random, entity_cube, 5);
    const LabelMap prediction = binary(random_labels(random, entity_cube, 5));
    Drawing of_reference = drawing_of(reference);
    Drawing dusty = drawing_of(prediction);
    for (int grain = 0; grain < 60; ++grain) {
      const Drawing::Voxel at{random.between(1, entity_cube.x - 2), random.between(1, entity_cube.y - 2),
                              random.between(1, entity_cube.z - 2)};
      if (is_free(of_reference, dusty, at)) dusty.at(at) = 1;
    }
    const std::vector<double> before = shares_of(reference, prediction);
    const std::vector<double> after = shares_of(reference, dusty.map());
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_LE(after[i], before[i]) << round << ", share " << i;
  }
}

TEST(Entities, are_worth_next_to_nothing_to_a_carpet_of_dust) {
  Drawing carpet(entity_cube);
  for (std::int64_t z = 0; z < entity_cube.z; z += 2) {
    for (std::int64_t y = 0; y < entity_cube.y; y += 2) {
      for (std::int64_t x = 0; x < entity_cube.x; x += 2) carpet.at({x, y, z}) = 1;
    }
  }
  const LabelMap reference = Drawing(entity_cube).box({4, 4, 4}, {3, 3, 3}).map();
  EXPECT_EQ(entity_counts(reference, carpet.map()).tp, 1);
  EXPECT_LT(shares_of(reference, carpet.map())[2], 0.05);
}

TEST(Entities, of_more_than_one_cluster_are_never_found_by_one_blob) {
  Random random(3, "blob");
  for (int round = 0; round < 200; ++round) {
    const LabelMap reference = random_labels(random, entity_cube, 6);
    const std::vector<std::int32_t> clusters = entity_clusters(reference, Connectivity::edges18);
    std::int64_t most = 0;
    for (const std::int32_t cluster : clusters)
      most = std::max<std::int64_t>(most, std::count(clusters.begin(), clusters.end(), cluster));
    Drawing blob(entity_cube);
    const std::int64_t lowest = random.between(0, 3);
    blob.box({lowest, lowest, lowest},
             {entity_cube.x - 2 * lowest, entity_cube.y - 2 * lowest, entity_cube.z - 2 * lowest});
    const EntityCounts found = entity_counts(reference, blob.map());
    EXPECT_LE(found.tp, most) << round;
    EXPECT_EQ(found.tp == 0, found.fp == 1) << round;
  }
}

TEST(Entities, are_never_found_by_taking_a_component_away) {
  Random random(4, "taking away");
  for (int round = 0; round < 200; ++round) {
    const LabelMap reference = random_labels(random, entity_cube, 5);
    const LabelMap parts =
        components(random_labels(random, entity_cube, 8).foreground(), Connectivity::edges18).labels;
    const EntityCounts all = entity_counts(reference, binary(parts));
    for (const std::int32_t gone : parts.labels()) {
      const LabelMap rest = parts.relabelled([gone](std::int32_t id) { return id == gone ? 0 : 1; });
      EXPECT_LE(entity_counts(reference, rest).tp, all.tp) << round;
    }
  }
}

TEST(Entities, are_all_missed_by_silence) {
  const LabelMap reference = Drawing(entity_slab).row(0, 12, 0, 1).row(30, 20, 0, 2).map();
  EXPECT_EQ(entity_counts(reference, drawn_nothing(entity_slab)), (EntityCounts{0, 0, 2}));
  EXPECT_EQ(shares_of(reference, drawn_nothing(entity_slab)), (std::vector<double>{0, 0, 0}));
}

TEST(FindingPair, has_the_same_instances_as_a_table_of_its_kept_components) {
  Random random(5, "instances");
  for (int round = 0; round < 100; ++round) {
    const FindingPair pair(random_labels(random, entity_cube, 5), random_labels(random, entity_cube, 8),
                           {.min_voxels = 4, .max_components = 3});
    const OverlapTable expected = *overlap_table(pair.reference(), pair.kept_components());
    ASSERT_EQ(pair.instances().prediction.size(), expected.prediction.size()) << round;
    ASSERT_EQ(pair.instances().pairs.size(), expected.pairs.size()) << round;
    for (std::size_t i = 0; i < expected.prediction.size(); ++i) {
      EXPECT_EQ(pair.instances().prediction[i].label, expected.prediction[i].label);
      EXPECT_EQ(pair.instances().prediction[i].voxels, expected.prediction[i].voxels);
    }
    for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
      EXPECT_EQ(pair.instances().pairs[i].reference_index, expected.pairs[i].reference_index);
      EXPECT_EQ(pair.instances().pairs[i].prediction_index, expected.pairs[i].prediction_index);
      EXPECT_EQ(pair.instances().pairs[i].voxels, expected.pairs[i].voxels);
    }
  }
}

}  // namespace
}  // namespace fiducial
