#include "fiducial/spatial/surface_distance.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/spatial/nearest_point.h"
#include "fiducial/spatial/surface_example.h"

namespace fiducial {
namespace {

using Directions = SurfaceComparison::Directions;

double robust_hausdorff(const Directions& both, double percent) {
  return std::max(area_percentile_mm(both.from_reference, percent),
                  area_percentile_mm(both.from_prediction, percent));
}

double share(const SurfaceShare& part) { return part.within / part.all; }

double dice(const SurfaceComparison::Shares& both) {
  return (both.reference.within + both.prediction.within) / (both.reference.all + both.prediction.all);
}

// Distances between the contours of two masks of one slice.
Directions contour_distances(const Mask& reference, const Mask& prediction, const Vec3& spacing_mm) {
  const VoxelBox box = united_bounds(reference, prediction);
  const Surfels a = contour(lattice_of(reference, box));
  const Surfels b = contour(lattice_of(prediction, box));
  const auto lengths = surfel_areas_mm2({spacing_mm[0], spacing_mm[1], 1});
  const auto directed = [&](const Surfels& from, const Surfels& to) {
    DirectedDistances out{nearest_distances_mm(from.corners, to.corners, spacing_mm), {}};
    for (const std::uint8_t code : from.codes) out.area_mm2.push_back(lengths[code]);
    return out;
  };
  return {directed(a, b), directed(b, a)};
}

std::vector<std::pair<double, double>> ordered(const DirectedDistances& directed) {
  std::vector<std::pair<double, double>> out;
  for (std::size_t i = 0; i < directed.distance_mm.size(); ++i) {
    out.emplace_back(directed.distance_mm[i], directed.area_mm2[i]);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// The public test cases of the surface-distance package.

TEST(SurfaceDistance, of_two_pixels_2_mm_apart) {
  const Mask reference = mask_of({128, 128, 1}, {{{50, 70, 0}, {1, 1, 1}}});
  const Mask prediction = mask_of({128, 128, 1}, {{{50, 72, 0}, {1, 1, 1}}});
  const Directions both = contour_distances(reference, prediction, {2, 1, 1});
  const double diagonal = 0.5 * std::sqrt(5.0);
  const std::vector<std::pair<double, double>> expected = {
      {1, diagonal}, {1, diagonal}, {2, diagonal}, {2, diagonal}};
  EXPECT_EQ(ordered(both.from_reference), expected);
  EXPECT_EQ(ordered(both.from_prediction), expected);
  EXPECT_DOUBLE_EQ(mean_distance_mm(both.from_reference), 1.5);
  EXPECT_DOUBLE_EQ(mean_distance_mm(both.from_prediction), 1.5);
  EXPECT_EQ(robust_hausdorff(both, 100), 2);
  EXPECT_EQ(robust_hausdorff(both, 95), 2);
}

TEST(SurfaceDistance, of_two_squares_of_which_one_is_a_pixel_longer) {
  const Mask reference = mask_of({6, 6, 1}, {{{1, 1, 0}, {2, 2, 1}}});
  const Mask prediction = mask_of({6, 6, 1}, {{{1, 1, 0}, {3, 2, 1}}});
  const double along_x = 2;
  const double along_y = 1;
  const double diagonal = 0.5 * std::sqrt(5.0);
  const Directions both = contour_distances(reference, prediction, {along_x, along_y, 1});
  const std::vector<std::pair<double, double>> from_reference = {
      {0, along_y},  {0, diagonal}, {0, diagonal}, {0, diagonal},
      {0, diagonal}, {0, along_x},  {0, along_x},  {along_y, along_y}};
  const std::vector<std::pair<double, double>> from_prediction = {
      {0, along_y}, {0, diagonal}, {0, diagonal},      {0, along_x},        {0, along_x},
      {0, along_x}, {0, along_x},  {along_x, along_y}, {along_x, diagonal}, {along_x, diagonal}};
  EXPECT_EQ(ordered(both.from_reference), from_reference);
  EXPECT_EQ(ordered(both.from_prediction), from_prediction);
}

TEST(SurfaceDistance, of_two_voxels_2_mm_apart) {
  const Mask reference = mask_of({128, 128, 128}, {{{50, 60, 70}, {1, 1, 1}}});
  const Mask prediction = mask_of({128, 128, 128}, {{{50, 60, 72}, {1, 1, 1}}});
  const SurfaceComparison surfaces(reference, prediction, {3, 2, 1});
  const Directions& both = surfaces.surfel_distances();
  EXPECT_DOUBLE_EQ(mean_distance_mm(both.from_reference), 1.5);
  EXPECT_DOUBLE_EQ(mean_distance_mm(both.from_prediction), 1.5);
  EXPECT_EQ(robust_hausdorff(both, 100), 2);
  EXPECT_EQ(robust_hausdorff(both, 95), 2);
  EXPECT_DOUBLE_EQ(share(surfaces.surfel_shares(1).reference), 0.5);
  EXPECT_DOUBLE_EQ(share(surfaces.surfel_shares(1).prediction), 0.5);
  EXPECT_DOUBLE_EQ(dice(surfaces.surfel_shares(1)), 0.5);
}

TEST(SurfaceDistance, of_two_blocks_of_which_one_is_a_slice_thicker) {
  const Mask reference = mask_of({100, 100, 100}, {{{0, 0, 0}, {50, 100, 100}}});
  const Mask prediction = mask_of({100, 100, 100}, {{{0, 0, 0}, {51, 100, 100}}});
  const SurfaceComparison surfaces(reference, prediction, {2, 1, 1});
  const Directions& both = surfaces.surfel_distances();
  EXPECT_NEAR(mean_distance_mm(both.from_reference), 0.322, 5e-4);
  EXPECT_NEAR(mean_distance_mm(both.from_prediction), 0.339, 5e-4);
  EXPECT_EQ(robust_hausdorff(both, 100), 2);
  EXPECT_EQ(robust_hausdorff(both, 95), 2);
  EXPECT_NEAR(share(surfaces.surfel_shares(1).reference), 0.842, 5e-4);
  EXPECT_NEAR(share(surfaces.surfel_shares(1).prediction), 0.830, 5e-4);
  EXPECT_NEAR(dice(surfaces.surfel_shares(1)), 0.836, 5e-4);
}

TEST(SurfaceDistance, has_nothing_to_share_when_a_mask_is_empty) {
  const Mask voxel = mask_of({128, 128, 128}, {{{50, 60, 70}, {1, 1, 1}}});
  const Mask nothing(Grid{{128, 128, 128}, {}});
  const SurfaceComparison without_prediction(voxel, nothing, {3, 2, 1});
  EXPECT_TRUE(without_prediction.prediction_empty());
  EXPECT_EQ(without_prediction.surfel_shares(1).reference.within, 0);
  EXPECT_GT(without_prediction.surfel_shares(1).reference.all, 0);
  EXPECT_EQ(without_prediction.surfel_shares(1).prediction.all, 0);
  const SurfaceComparison without_both(nothing, nothing, {3, 2, 1});
  EXPECT_EQ(without_both.surfel_shares(1).reference.all, 0);
  EXPECT_EQ(without_both.voxel_edge_shares(1).prediction.all, 0);
}

// Ours.

TEST(SurfaceDistance, does_not_depend_on_where_the_masks_lie) {
  const Mask here = mask_of({40, 30, 20}, {{{0, 0, 0}, {5, 6, 7}}});
  const Mask here_too = mask_of({40, 30, 20}, {{{1, 0, 2}, {4, 8, 3}}});
  const Mask there = mask_of({40, 30, 20}, {{{35, 22, 13}, {5, 6, 7}}});
  const Mask there_too = mask_of({40, 30, 20}, {{{36, 22, 15}, {4, 8, 3}}});
  const SurfaceComparison a(here, here_too, {0.7, 0.8, 1.5});
  const SurfaceComparison b(there, there_too, {0.7, 0.8, 1.5});
  EXPECT_EQ(a.surfel_distances().from_reference.distance_mm, b.surfel_distances().from_reference.distance_mm);
  EXPECT_EQ(a.voxel_edge_distances().from_prediction.distance_mm,
            b.voxel_edge_distances().from_prediction.distance_mm);
}

TEST(AreaPercentile, takes_the_distance_at_which_the_share_is_reached_exactly) {
  DirectedDistances directed;
  for (int i = 1; i <= 20; ++i) {
    directed.distance_mm.push_back(21 - i);
    directed.area_mm2.push_back(0.25);
  }
  EXPECT_EQ(area_percentile_mm(directed, 95), 19);
  EXPECT_EQ(area_percentile_mm(directed, 96), 20);
  EXPECT_EQ(area_percentile_mm(directed, 100), 20);
  EXPECT_EQ(area_percentile_mm(directed, 0), 1);
}

TEST(AreaPercentile, orders_equal_distances_by_area) {
  const DirectedDistances directed{{2, 1, 1}, {1, 10, 89}};
  EXPECT_EQ(area_percentile_mm(directed, 95), 1);
  EXPECT_EQ(area_percentile_mm(directed, 99.5), 2);
}

TEST(LinearPercentile, interpolates_between_neighbours) {
  EXPECT_DOUBLE_EQ(linear_percentile({4, 1, 3, 2}, 50), 2.5);
  EXPECT_DOUBLE_EQ(linear_percentile({4, 1, 3, 2}, 95), 3.85);
  EXPECT_EQ(linear_percentile({4, 1, 3, 2}, 100), 4);
  EXPECT_EQ(linear_percentile({7}, 95), 7);
}

}  // namespace
}  // namespace fiducial
