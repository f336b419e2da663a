#include "fiducial/stats/bootstrap.h"

#include <cmath>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::optional<double> mean(std::span<const double> sums) {
  if (sums[1] == 0) return std::nullopt;
  return sums[0] / sums[1];
}

TEST(Percentile, interpolates_between_neighbours) {
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(percentile(values, 0), 1);
  EXPECT_DOUBLE_EQ(percentile(values, 1), 4);
  EXPECT_DOUBLE_EQ(percentile(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(percentile(values, 0.1), 1.3);
}

TEST(ClusterBootstrap, is_the_same_for_the_same_seed_and_differs_for_another) {
  const std::vector<double> sums{0.1, 1, 0.9, 1, 0.4, 1, 0.7, 1, 0.2, 1};
  const auto a = ClusterBootstrap(5, 500, 7).interval95(sums, 2, mean);
  const auto b = ClusterBootstrap(5, 500, 7).interval95(sums, 2, mean);
  const auto c = ClusterBootstrap(5, 500, 8).interval95(sums, 2, mean);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
  EXPECT_TRUE(a->low != c->low || a->high != c->high);
}

TEST(ClusterBootstrap, has_no_width_when_all_clusters_agree) {
  const std::vector<double> sums{0.5, 1, 0.5, 1, 0.5, 1};
  const auto found = ClusterBootstrap(3, 200, 1).interval95(sums, 2, mean);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->low, 0.5);
  EXPECT_DOUBLE_EQ(found->high, 0.5);
}

TEST(ClusterBootstrap, covers_the_mean_of_many_clusters_about_as_wide_as_theory_says) {
  std::vector<double> sums;
  for (int i = 0; i < 400; ++i) {
    sums.push_back(i % 2);
    sums.push_back(1);
  }
  const auto found = ClusterBootstrap(400, 2000, 3).interval95(sums, 2, mean);
  ASSERT_TRUE(found);
  // Standard error of a share of 1/2 over 400 is 0.025; the interval reaches 1.96 of it to each side.
  EXPECT_NEAR(found->low, 0.5 - 0.049, 0.004);
  EXPECT_NEAR(found->high, 0.5 + 0.049, 0.004);
}

TEST(ClusterBootstrap, gives_no_interval_for_a_single_cluster) {
  const std::vector<double> sums{0.5, 1};
  EXPECT_FALSE(ClusterBootstrap(1, 200, 1).interval95(sums, 2, mean));
}

TEST(ClusterBootstrap, gives_no_interval_for_a_group_that_lies_in_one_cluster) {
  const std::vector<double> sums{0, 0, 0.5, 1, 0, 0, 0, 0};
  EXPECT_FALSE(ClusterBootstrap(4, 200, 1).interval95(sums, 2, mean));
}

TEST(ClusterBootstrap, gives_no_interval_when_most_resamples_are_undefined) {
  const std::vector<double> sums{0, 0, 0, 0, 0, 0, 1, 1};
  const auto never = [](std::span<const double>) -> std::optional<double> { return std::nullopt; };
  EXPECT_FALSE(ClusterBootstrap(4, 200, 1).interval95(sums, 2, never));
}

TEST(ClusterBootstrap, gives_members_alone_what_they_give_among_others_that_add_nothing) {
  const ClusterBootstrap bootstrap(6, 500, 3);
  const auto share = [](std::span<const double> total) -> std::optional<double> {
    return total[1] > 0 ? std::optional(total[0] / total[1]) : std::nullopt;
  };
  const std::vector<double> all = {0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1};
  const std::vector<std::size_t> members = {1, 3, 4, 5};
  const std::vector<double> few = {1, 1, 0, 1, 1, 1, 0, 1};
  const auto expected = bootstrap.interval95(all, 2, share);
  const auto found = bootstrap.interval95_of(members, few, 2, share);
  ASSERT_TRUE(expected && found);
  EXPECT_EQ(found->low, expected->low);
  EXPECT_EQ(found->high, expected->high);
}

TEST(ClusterBootstrap, counts_the_draws_of_many_sets_as_it_adds_up_ones_for_each) {
  constexpr std::size_t clusters = 700;
  const ClusterBootstrap bootstrap(clusters, 130, 11);
  std::vector<std::vector<std::size_t>> sets{{}, {5}, {699, 0}};
  for (std::size_t step = 1; step < 40; step += 6) {
    auto& set = sets.emplace_back();
    for (std::size_t at = 0; at < clusters; at += step) set.push_back(at);
  }
  for (const int threads : {1, 3}) {
    const auto counts = bootstrap.drawn_counts(sets, Executor(threads));
    ASSERT_TRUE(counts.ok());
    ASSERT_EQ(counts->counts.size(), sets.size() * bootstrap.resamples());
    for (std::size_t set = 0; set < sets.size(); ++set) {
      // Halves are added up one by one.
      const auto halves = bootstrap.totals(sets[set], std::vector<double>(sets[set].size(), 0.5));
      const auto ones = bootstrap.totals(sets[set], std::vector<double>(sets[set].size(), 1));
      for (std::size_t r = 0; r < bootstrap.resamples(); ++r) {
        EXPECT_EQ(counts->of(set)[r], 2 * halves[r]);
        EXPECT_EQ(counts->of(set)[r], ones[r]);
      }
    }
    for (const std::uint32_t all : counts->of(3)) EXPECT_EQ(all, clusters);
  }
}

TEST(ClusterBootstrap, adds_up_values_in_their_order_to_the_last_bit) {
  constexpr std::size_t clusters = 300;
  const ClusterBootstrap bootstrap(clusters, 130, 4);
  std::vector<std::size_t> members;
  std::vector<double> values;
  for (std::size_t at = 0; at < clusters; at += 1 + at % 3) {
    members.push_back(at);
    values.push_back(std::sin(static_cast<double>(at)) * std::exp(static_cast<double>(at % 40) - 20));
  }
  std::vector<std::vector<std::size_t>> each;
  for (const std::size_t member : members) each.push_back({member});
  const auto drawn = bootstrap.drawn_counts(each, Executor(1));
  ASSERT_TRUE(drawn.ok());
  const auto found = bootstrap.totals(members, values);
  ASSERT_EQ(found.size(), bootstrap.resamples());
  for (std::size_t r = 0; r < found.size(); ++r) {
    double expected = 0;
    for (std::size_t m = 0; m < members.size(); ++m) expected += drawn->of(m)[r] * values[m];
    EXPECT_EQ(found[r], expected) << r;
  }
}

}  // namespace
}  // namespace fiducial
