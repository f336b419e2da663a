#include <gtest/gtest.h>

#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

constexpr Extent instance_slab{64, 8, 2};

struct Counts {
  double tp = 0;
  double fp = 0;
  double fn = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Counts& n) {
    return out << n.tp << "/" << n.fp << "/" << n.fn;
  }
};

Counts counts_of(const std::string& variant, const FindingPair& pair) {
  const auto count = [&](const char* kind) {
    return score_of("instance_" + std::string(kind) + "_" + variant, pair).value();
  };
  return {count("tp"), count("fp"), count("fn")};
}

std::vector<std::int32_t> kept_components(const FindingPair& pair) {
  std::vector<std::int32_t> out;
  for (const auto& label : pair.instances().prediction) out.push_back(label.label);
  return out;
}

// Components of 10 voxels each, one after the other along x; the last may be twice as large.
LabelMap many_components(std::int64_t count, bool last_is_larger) {
  Drawing drawing({3 * count + 2, 5, 2});
  for (std::int64_t k = 0; k < count; ++k) {
    drawing.box({3 * k, 0, 0}, {last_is_larger && k == count - 1 ? 2 : 1, 5, 2},
                static_cast<std::int32_t>(k + 1));
  }
  return drawing.map();
}

std::vector<std::int32_t> one_to(std::int32_t last) {
  std::vector<std::int32_t> out;
  for (std::int32_t i = 1; i <= last; ++i) out.push_back(i);
  return out;
}

TEST(Instances, are_reference_labels_against_components_of_the_prediction) {
  // Entities 3 and 200 touch; the prediction covers both and is one component.
  const LabelMap reference = Drawing(instance_slab).row(0, 12, 0, 3).row(12, 20, 0, 200).map();
  const FindingPair pair(reference, Drawing(instance_slab).row(0, 32, 0, 9).map(), {});
  for (const char* variant : {"strict18", "greedy18"}) {
    EXPECT_EQ(counts_of(variant, pair), (Counts{1, 0, 1})) << variant;
  }
  EXPECT_EQ(score_of("matched_dice_strict18", pair).value(), 40.0 / 52.0);
  EXPECT_EQ(score_of("matched_dice_greedy18", pair).value(), (40 + 1e-6) / (52 + 1e-6));
}

TEST(Instances, change_when_reference_and_prediction_change_places) {
  const LabelMap two = Drawing(instance_slab).row(0, 12, 0, 1).row(12, 20, 0, 2).map();
  const LabelMap one = Drawing(instance_slab).row(0, 32).map();
  EXPECT_EQ(score_of("instance_recall_strict18", FindingPair(two, one, {})).value(), 0.5);
  EXPECT_EQ(score_of("instance_recall_strict18", FindingPair(one, two, {})).value(), 1);
}

TEST(Instances, do_not_split_an_entity_of_several_components) {
  const LabelMap reference = Drawing(instance_slab).row(0, 10, 0, 5).row(0, 10, 4, 5).map();
  const FindingPair pair(reference, Drawing(instance_slab).row(0, 10).map(), {});
  EXPECT_EQ(counts_of("strict18", pair), (Counts{1, 0, 0}));
}

TEST(Instances, match_at_a_dice_of_exactly_a_fifth) {
  const LabelMap reference = Drawing(instance_slab).row(0, 10).map();
  const FindingPair at(reference, Drawing(instance_slab).row(8, 10).map(), {});
  const FindingPair below(reference, Drawing(instance_slab).row(8, 11).map(), {});
  for (const char* variant : {"strict18", "greedy18"}) {
    EXPECT_EQ(counts_of(variant, at), (Counts{1, 0, 0})) << variant;
    EXPECT_EQ(counts_of(variant, below), (Counts{0, 1, 1})) << variant;
  }
  EXPECT_EQ(score_of("matched_dice_strict18", at).value(), 0.2);
}

TEST(Instances, need_10_voxels_in_the_prediction_but_not_in_the_reference) {
  const LabelMap nine = Drawing(instance_slab).row(0, 9).map();
  const LabelMap ten = Drawing(instance_slab).row(0, 10).map();
  EXPECT_EQ(counts_of("greedy18", FindingPair(nine, nine, {})), (Counts{0, 0, 1}));
  EXPECT_EQ(counts_of("greedy18", FindingPair(nine, ten, {})), (Counts{1, 0, 0}));
}

TEST(Instances, join_by_faces_edges_or_corners_as_the_rules_say) {
  struct Touch {
    Drawing::Voxel second;
    std::size_t by6;
    std::size_t by18;
    std::size_t by26;
  };
  // The first block is voxels 0 .. 4 in x, 0 .. 1 in y, 0 in z.
  for (const Touch& touch :
       {Touch{{5, 0, 0}, 1, 1, 1}, Touch{{5, 2, 0}, 2, 1, 1}, Touch{{5, 2, 1}, 2, 2, 1}}) {
    const LabelMap blocks =
        Drawing(instance_slab).box({0, 0, 0}, {5, 2, 1}).box(touch.second, {5, 2, 1}).map();
    const auto components_by = [&blocks](Connectivity connectivity) {
      return FindingPair(blocks, blocks, {.connectivity = connectivity}).instances().prediction.size();
    };
    EXPECT_EQ(components_by(Connectivity::faces6), touch.by6);
    EXPECT_EQ(components_by(Connectivity::edges18), touch.by18);
    EXPECT_EQ(components_by(Connectivity::corners26), touch.by26);
  }
}

TEST(Instances, keep_50_components_and_drop_the_last_of_51_equals) {
  const LabelMap fifty = many_components(50, false);
  EXPECT_EQ(kept_components(FindingPair(fifty, fifty, {})), one_to(50));
  const LabelMap more = many_components(51, false);
  const FindingPair pair(more, more, {});
  EXPECT_EQ(kept_components(pair), one_to(50));
  EXPECT_EQ(counts_of("greedy18", pair), (Counts{50, 0, 1}));
  EXPECT_EQ(score_of("dice_filtered", pair).value(), 1000.0 / 1010.0);
  EXPECT_EQ(score_of("dice", pair).value(), 1);
}

TEST(Instances, keep_a_larger_component_under_its_own_id_when_51_compete) {
  const LabelMap more = many_components(51, true);
  std::vector<std::int32_t> expected = one_to(49);
  expected.push_back(51);
  EXPECT_EQ(kept_components(FindingPair(more, more, {})), expected);
}

TEST(Instances, find_50_of_255_entities_because_of_the_cap) {
  const LabelMap all = many_components(255, false);
  const FindingPair pair(all, all, {});
  EXPECT_EQ(counts_of("greedy18", pair), (Counts{50, 0, 205}));
  EXPECT_EQ(score_of("instance_precision_greedy18", pair).value(), 1);
  EXPECT_EQ(score_of("instance_recall_greedy18", pair).value(), 50.0 / 255.0);
  const FindingPair uncapped(all, all, {.max_components = 255});
  EXPECT_EQ(counts_of("strict18", uncapped), (Counts{255, 0, 0}));
}

TEST(Instances, without_prediction_have_precision_one_as_published_and_none_in_strict) {
  const LabelMap reference = Drawing(instance_slab).row(0, 10).map();
  const FindingPair pair(reference, LabelMap(Grid{instance_slab, {}}), {});
  EXPECT_EQ(score_of("instance_precision_greedy18", pair).value(), 1);
  EXPECT_EQ(score_of("instance_recall_greedy18", pair).value(), 0);
  EXPECT_EQ(score_of("instance_f1_greedy18", pair).value(), 0);
  EXPECT_EQ(score_of("instance_precision_strict18", pair).reason(), "no predicted instance");
  EXPECT_EQ(score_of("instance_recall_strict18", pair).value(), 0);
  EXPECT_EQ(score_of("instance_f1_strict18", pair).value(), 0);
}

TEST(Instances, that_are_empty_on_both_sides_are_all_one_as_published) {
  const LabelMap nothing(Grid{instance_slab, {}});
  const FindingPair pair(nothing, nothing, {});
  for (const char* id : {"dice_rexrank_filtered", "instance_precision_greedy18", "instance_recall_greedy18",
                         "instance_f1_greedy18"}) {
    EXPECT_EQ(score_of(id, pair).value(), 1) << id;
  }
}

TEST(Instances, keep_ids_over_255_apart) {
  const LabelMap reference = Drawing(instance_slab).row(0, 10, 0, 1).row(0, 10, 4, 257).map();
  const FindingPair pair(reference, reference, {});
  EXPECT_EQ(counts_of("strict18", pair), (Counts{2, 0, 0}));
}

}  // namespace
}  // namespace fiducial
