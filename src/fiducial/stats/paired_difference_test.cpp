#include "fiducial/stats/paired_difference.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

std::optional<double> mean_of_pairs(std::span<const double> sums) {
  if (sums[1] == 0) return std::nullopt;
  return sums[0] / sums[1];
}

TEST(PairedDifference, is_zero_with_a_zero_interval_for_identical_systems) {
  const std::vector<double> sums{0.1, 1, 0.9, 1, 0.4, 2, 0.7, 1};
  const PairedSums pair{sums, sums, 2};
  const ClusterBootstrap bootstrap(4, 500, 7);
  EXPECT_EQ(paired_difference(pair, mean_of_pairs), 0.0);
  const auto interval = paired_interval95(pair, mean_of_pairs, bootstrap);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_EQ(interval->high, 0);
}

TEST(PairedDifference, has_no_value_where_one_system_has_none) {
  const std::vector<double> some{0.5, 1};
  const std::vector<double> none{0, 0};
  EXPECT_FALSE(paired_difference({some, none, 2}, mean_of_pairs));
}

TEST(PairedDifference, has_an_interval_without_width_when_every_cluster_differs_alike) {
  const std::vector<double> a{0.75, 1, 0.5, 1, 1.0, 1};
  const std::vector<double> b{0.5, 1, 0.25, 1, 0.75, 1};
  const auto interval = paired_interval95({a, b, 2}, mean_of_pairs, ClusterBootstrap(3, 300, 1));
  ASSERT_TRUE(interval);
  EXPECT_DOUBLE_EQ(interval->low, 0.25);
  EXPECT_DOUBLE_EQ(interval->high, 0.25);
}

// The obvious version: draw clusters as the bootstrap does, and take both means anew each time.
TEST(PairedDifference, equals_drawing_the_clusters_of_both_systems_one_by_one) {
  constexpr std::size_t clusters = 12;
  Random values(9);
  std::vector<double> a;
  std::vector<double> b;
  for (std::size_t i = 0; i < clusters; ++i) {
    const auto count = static_cast<double>(values.between(1, 3));
    a.insert(a.end(), {values.uniform() * count, count});
    b.insert(b.end(), {values.uniform() * count, count});
  }
  Random draws(4, "bootstrap");
  std::vector<double> differences;
  for (int r = 0; r < 400; ++r) {
    double sums[4] = {};
    for (std::size_t i = 0; i < clusters; ++i) {
      const std::size_t c = draws.below(clusters);
      sums[0] += a[2 * c];
      sums[1] += a[2 * c + 1];
      sums[2] += b[2 * c];
      sums[3] += b[2 * c + 1];
    }
    differences.push_back(sums[0] / sums[1] - sums[2] / sums[3]);
  }
  std::sort(differences.begin(), differences.end());
  const auto found = paired_interval95({a, b, 2}, mean_of_pairs, ClusterBootstrap(clusters, 400, 4));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->low, percentile(differences, 0.025), 1e-12);
  EXPECT_NEAR(found->high, percentile(differences, 0.975), 1e-12);
}

TEST(PairedInterval, is_none_where_every_value_is_equal_but_for_rounding) {
  EXPECT_FALSE(with_width(std::nullopt));
  EXPECT_FALSE(with_width(Interval{1, 1}));
  EXPECT_FALSE(with_width(Interval{0.26, 0.26 + 1e-16}));
  ASSERT_TRUE(with_width(Interval{0.2599, 0.26}));
}

}  // namespace
}  // namespace fiducial
