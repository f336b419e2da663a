#include <gtest/gtest.h>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/reference_values.h"
#include "fiducial/metrics/distance_matching.h"
#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

constexpr Extent surface_cube{16, 14, 12};
constexpr Vec3 anisotropic{0.7, 0.8, 1.5};

FindingPair pair_at(const LabelMap& reference, const LabelMap& prediction, const Vec3& spacing_mm,
                    double tolerance_mm = 1) {
  return {reference, prediction, {}, {.spacing_mm = spacing_mm, .tolerance_mm = tolerance_mm, .focal = true}};
}

LabelMap no_surface() { return LabelMap(Grid{surface_cube, {}}); }

bool measures_mm(const MaskMetric& metric) { return metric.contract.unit == "mm"; }

// Labels recorded one byte a voxel, x fastest.
LabelMap recorded_labels(const Json& recorded, const char* key) {
  const auto& shape = *recorded.find("shape")->as_array();
  const Extent extent{*shape[0].as_integer(), *shape[1].as_integer(), *shape[2].as_integer()};
  const Bytes voxels = base64_decoded(*recorded.find(key)->as_string());
  Drawing drawing(extent);
  for (std::int64_t i = 0; i < extent.count(); ++i) {
    drawing.at({i % extent.x, i / extent.x % extent.y, i / extent.x / extent.y}) =
        static_cast<std::int32_t>(voxels.at(static_cast<std::size_t>(i)));
  }
  return drawing.map();
}

FindingPair recorded_pair(const Json& recorded) {
  const auto& spacing = *recorded.find("spacing_mm")->as_array();
  return {recorded_labels(recorded, "reference"),
          recorded_labels(recorded, "prediction"),
          {.min_voxels = 1},
          {.spacing_mm = Vec3{*spacing[0].as_number(), *spacing[1].as_number(), *spacing[2].as_number()},
           .tolerance_mm = *recorded.find("tolerance_mm")->as_number()}};
}

// Holds every value a tool recorded against ours; tolerance is relative.
void expect_recorded(const char* tool, double tolerance) {
  const Json document = reference_values("surface.json");
  int compared = 0;
  for (const Json& recorded : *document.find("cases")->as_array()) {
    const FindingPair pair = recorded_pair(recorded);
    for (const auto& [id, expected] : *recorded.find(tool)->as_object()) {
      const Score score = score_of(id, pair);
      if (!score.defined()) {
        EXPECT_EQ(id, "sq_greedy_iou50")
            << "only panoptica's SQ without a match is 0 where ours is undefined";
        EXPECT_EQ(*expected.as_number(), 0);
        continue;
      }
      const double value = *expected.as_number();
      EXPECT_NEAR(score.value(), value, tolerance * std::max(1.0, std::abs(value)))
          << *recorded.find("name")->as_string() << ": " << id;
      ++compared;
    }
  }
  EXPECT_GE(compared, 40) << tool;
}

TEST(SurfaceMetrics, equal_surface_distance) { expect_recorded("surface-distance", 1e-12); }

TEST(SurfaceMetrics, equal_monai_within_its_single_precision) {
  // torch.quantile interpolates at a rank held in single precision.
  expect_recorded("monai", 1e-5);
}

TEST(SurfaceMetrics, equal_panoptica) { expect_recorded("panoptica", 1e-12); }

TEST(SurfaceMetrics, equal_the_hausdorff_distances_of_surface_distance_to_the_last_bit) {
  const Json document = reference_values("surface.json");
  for (const Json& recorded : *document.find("cases")->as_array()) {
    const FindingPair pair = recorded_pair(recorded);
    for (const char* id : {"hd95_surfel_directed_max", "hd_surfel"}) {
      EXPECT_EQ(score_of(id, pair).value(), *recorded.find("surface-distance")->find(id)->as_number()) << id;
    }
  }
}

LabelMap recorded_boxes(const Json& recorded, const char* key) {
  const auto numbers = [](const Json& list) {
    Drawing::Voxel out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = *list.as_array()->at(i).as_integer();
    return out;
  };
  const Drawing::Voxel shape = numbers(*recorded.find("shape"));
  Drawing drawing({shape[0], shape[1], shape[2]});
  for (const Json& box : *recorded.find(key)->as_array())
    drawing.box(numbers(box.as_array()->at(0)), numbers(box.as_array()->at(1)));
  return drawing.map();
}

TEST(SurfaceMetrics, give_what_surface_distance_gives_where_it_tests_itself) {
  const Json document = reference_values("surface_boxes.json");
  for (const Json& recorded : *document.find("cases")->as_array()) {
    SCOPED_TRACE(*recorded.find("name")->as_string());
    const auto& spacing = *recorded.find("spacing_mm")->as_array();
    const FindingPair pair =
        pair_at(recorded_boxes(recorded, "reference"), recorded_boxes(recorded, "prediction"),
                {*spacing[0].as_number(), *spacing[1].as_number(), *spacing[2].as_number()});
    const bool both_empty = pair.reference_mask().empty() && pair.predicted_mask().empty();
    for (const auto& [id, expected] : *recorded.find("values")->as_object()) {
      if (both_empty && id == "dice") continue;  // the one difference: to agree on no_surface is 1 here
      const Score score = score_of(id, pair);
      ASSERT_EQ(score.defined(), !expected.is_null()) << id;
      if (!score.defined()) continue;
      EXPECT_NEAR(score.value(), *expected.as_number(), 1e-12) << id;
    }
  }
}

TEST(SurfaceMetrics, are_undefined_without_a_spacing_whatever_the_masks_are) {
  const LabelMap some = Drawing(surface_cube).box({2, 2, 2}, {3, 3, 3}).map();
  for (const MaskMetric& metric : all_mask_metrics()) {
    if (!metric.contract.needs_spacing) continue;
    for (const LabelMap& prediction : {some, no_surface()}) {
      EXPECT_EQ(metric.score(FindingPair(some, prediction, {})), Score::undefined("no spacing"))
          << metric.contract.id;
    }
  }
}

TEST(SurfaceMetrics, in_mm_scale_with_the_spacing_and_shares_do_not) {
  Random random(51, "scaling law");
  for (int round = 0; round < 20; ++round) {
    const LabelMap a = random_labels(random, surface_cube, 5);
    const LabelMap b = random_labels(random, surface_cube, 5);
    const FindingPair once = pair_at(a, b, anisotropic, 1);
    const FindingPair twice = pair_at(a, b, {1.4, 1.6, 3.0}, 2);
    for (const MaskMetric& metric : all_mask_metrics()) {
      if (metric.contract.group != "surface") continue;
      const Score small = metric.score(once);
      const Score large = metric.score(twice);
      ASSERT_EQ(small.defined(), large.defined());
      if (!small.defined()) continue;
      // Doubling is exact, so every distance and area is.
      EXPECT_DOUBLE_EQ(large.value(), measures_mm(metric) ? 2 * small.value() : small.value())
          << metric.contract.id;
    }
  }
}

TEST(SurfaceMetrics, do_not_depend_on_which_mask_is_the_reference_unless_directed) {
  Random random(52, "symmetry");
  for (int round = 0; round < 20; ++round) {
    const LabelMap a = random_labels(random, surface_cube, 5);
    const LabelMap b = random_labels(random, surface_cube, 5);
    if (a.empty() || b.empty()) continue;
    const FindingPair pair = pair_at(a, b, anisotropic);
    const FindingPair swapped = pair_at(b, a, anisotropic);
    for (const char* id :
         {"nsd_surfel", "nsd_voxel_edge", "nsd_voxel_edge_mean_fraction", "hd_surfel", "hd",
          "hd95_surfel_directed_max", "hd95_directed_max", "hd95_pooled", "centroid_distance"}) {
      EXPECT_EQ(score_of(id, pair), score_of(id, swapped)) << id;
    }
    const Score there = score_of("asd_surfel_directed_reference_to_prediction", pair);
    EXPECT_EQ(there, score_of("asd_surfel_directed_prediction_to_reference", swapped));
    EXPECT_DOUBLE_EQ(score_of("assd_pooled", pair).value(), score_of("assd_pooled", swapped).value());
  }
}

TEST(SurfaceMetrics, follow_each_axis_with_its_own_spacing) {
  const LabelMap voxel = Drawing(surface_cube).box({5, 5, 5}, {1, 1, 1}).map();
  const Drawing::Voxel steps[] = {{8, 5, 5}, {5, 8, 5}, {5, 5, 8}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const LabelMap moved = Drawing(surface_cube).box(steps[axis], {1, 1, 1}).map();
    const FindingPair pair = pair_at(voxel, moved, anisotropic);
    for (const char* id : {"hd", "hd_surfel", "hd95_pooled", "assd_pooled", "centroid_distance"}) {
      EXPECT_DOUBLE_EQ(score_of(id, pair).value(), 3 * anisotropic[axis]) << id;
    }
  }
}

TEST(Nsd, counts_surfaces_at_exactly_the_tolerance) {
  const LabelMap slab = Drawing(surface_cube).box({2, 2, 2}, {6, 6, 2}).map();
  const LabelMap moved = Drawing(surface_cube).box({2, 2, 3}, {6, 6, 2}).map();
  EXPECT_EQ(score_of("nsd_surfel", pair_at(slab, moved, {1, 1, 1}, 1)).value(), 1);
  EXPECT_LT(score_of("nsd_surfel", pair_at(slab, moved, {1, 1, 1}, 0.999)).value(), 1);
}

TEST(RelativeVolumeDifference, is_signed_and_needs_no_spacing) {
  const LabelMap four = Drawing(surface_cube).row(0, 4).map();
  const LabelMap six = Drawing(surface_cube).row(0, 6).map();
  EXPECT_EQ(score_of("relative_volume_difference", FindingPair(four, six, {})).value(), 0.5);
  EXPECT_EQ(score_of("relative_volume_difference", FindingPair(four, no_surface(), {})).value(), -1);
}

TEST(PanopticQuality, is_the_mean_iou_of_matches_times_their_share) {
  const LabelMap reference =
      Drawing(surface_cube).box({0, 0, 0}, {4, 4, 4}, 1).box({8, 8, 8}, {4, 4, 4}, 2).map();
  const LabelMap prediction = Drawing(surface_cube).box({1, 0, 0}, {4, 4, 4}).box({8, 0, 8}, {3, 3, 3}).map();
  const FindingPair pair(reference, prediction, {});
  EXPECT_DOUBLE_EQ(score_of("sq_greedy_iou50", pair).value(), 48.0 / 80.0);
  EXPECT_DOUBLE_EQ(score_of("rq_greedy_iou50", pair).value(), 0.5);
  EXPECT_DOUBLE_EQ(score_of("pq_greedy_iou50", pair).value(), 0.3);
}

TEST(PanopticQuality, matches_at_an_iou_of_exactly_half) {
  const LabelMap reference = Drawing(surface_cube).row(0, 12).map();
  EXPECT_EQ(
      score_of("rq_greedy_iou50", FindingPair(reference, Drawing(surface_cube).row(4, 12).map(), {})).value(),
      1);
  EXPECT_EQ(
      score_of("rq_greedy_iou50", FindingPair(reference, Drawing(surface_cube).row(5, 11).map(), {})).value(),
      0);
}

class DistanceInstances : public ::testing::Test {
 protected:
  static InstanceCounts found(const LabelMap& reference, const LabelMap& prediction, bool focal) {
    return match_by_distance({reference, prediction, {}, {.spacing_mm = Vec3{1, 1, 2}, .focal = focal}});
  }
};

TEST_F(DistanceInstances, match_centroids_up_to_twice_the_largest_spacing) {
  const LabelMap reference = Drawing(surface_cube).box({2, 2, 2}, {3, 3, 3}).map();
  EXPECT_EQ(found(reference, Drawing(surface_cube).box({6, 2, 2}, {3, 3, 3}).map(), true).true_positives, 1);
  EXPECT_EQ(found(reference, Drawing(surface_cube).box({7, 2, 2}, {3, 3, 3}).map(), true).true_positives, 0);
  EXPECT_EQ(found(reference, Drawing(surface_cube).box({2, 2, 4}, {3, 3, 3}).map(), true).true_positives, 1);
}

TEST_F(DistanceInstances, compare_surfaces_of_findings_that_are_not_focal) {
  // A shell and a ball share their centre but not their surface.
  const LabelMap ball = Drawing(surface_cube).box({6, 6, 5}, {3, 3, 2}).map();
  const LabelMap shell =
      Drawing(surface_cube).box({0, 0, 0}, {15, 14, 12}).box({1, 1, 1}, {13, 12, 10}, 0).map();
  EXPECT_EQ(found(ball, shell, true).true_positives, 1);
  EXPECT_EQ(found(ball, shell, false).true_positives, 0);
  EXPECT_EQ(found(ball, ball, false).true_positives, 1);
}

TEST_F(DistanceInstances, are_matched_one_to_one_the_nearest_first) {
  const LabelMap reference =
      Drawing(surface_cube).box({0, 0, 0}, {2, 3, 3}, 1).box({3, 0, 0}, {2, 3, 3}, 2).map();
  const LabelMap prediction = Drawing(surface_cube).box({2, 0, 0}, {2, 3, 3}).map();
  const InstanceCounts counts = found(reference, prediction, true);
  EXPECT_EQ(counts.true_positives, 1);
  EXPECT_EQ(counts.false_negatives, 1);
  EXPECT_EQ(counts.false_positives, 0);
}

TEST_F(DistanceInstances, are_given_up_where_the_time_of_the_case_is_over) {
  const LabelMap some = Drawing(surface_cube).box({2, 2, 2}, {3, 3, 3}).map();
  const CaseBudget enough({.seconds = 600});
  EXPECT_EQ(found(some, some, false).true_positives, 1);
  const CaseBudget used_up({.seconds = -1});
  EXPECT_EQ(found(some, some, false).true_positives, 0);
  EXPECT_TRUE(used_up.overdrawn());
}

TEST_F(DistanceInstances, are_undefined_without_a_category) {
  const LabelMap some = Drawing(surface_cube).box({2, 2, 2}, {3, 3, 3}).map();
  const FindingPair pair(some, some, {}, {.spacing_mm = anisotropic});
  EXPECT_FALSE(score_of("distance_f1_strict18", pair).defined());
  EXPECT_TRUE(score_of("nsd_surfel", pair).defined());
}

TEST(IgnoredRegions, keep_a_component_from_being_a_false_positive_when_more_than_half_lies_inside) {
  const LabelMap reference = Drawing(surface_cube).box({0, 0, 0}, {3, 3, 3}).map();
  const LabelMap prediction = Drawing(surface_cube).box({0, 0, 0}, {3, 3, 3}).box({8, 8, 4}, {4, 2, 2}).map();
  const auto with_ignored = [&](const LabelMap& ignored) {
    return FindingPair(reference, prediction, {},
                       {.spacing_mm = Vec3{1, 1, 1}, .focal = true, .ignored = ignored.foreground()});
  };
  const FindingPair half = with_ignored(Drawing(surface_cube).box({8, 8, 4}, {2, 2, 2}).map());
  const FindingPair most = with_ignored(Drawing(surface_cube).box({8, 8, 4}, {3, 2, 2}).map());
  for (const char* id : {"instance_fp_strict18", "distance_fp_strict18"}) {
    EXPECT_EQ(score_of(id, half).value(), 1) << id;
    EXPECT_EQ(score_of(id, most).value(), 0) << id;
  }
  EXPECT_LT(score_of("rq_greedy_iou50", half).value(), 1);
  EXPECT_EQ(score_of("rq_greedy_iou50", most).value(), 1);
  EXPECT_EQ(score_of("instance_fp_greedy18", most).value(), 1)
      << "the published scorer knows no such regions";
}

TEST(IgnoredRegions, leave_a_component_matched_that_lies_inside) {
  const LabelMap both = Drawing(surface_cube).box({0, 0, 0}, {3, 3, 3}).map();
  const FindingPair pair(both, both, {}, {.ignored = both.foreground()});
  EXPECT_EQ(score_of("instance_tp_strict18", pair).value(), 1);
  EXPECT_EQ(score_of("instance_precision_strict18", pair).value(), 1);
}

}  // namespace
}  // namespace fiducial
