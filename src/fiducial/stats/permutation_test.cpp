#include "fiducial/stats/permutation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/base/reference_values.h"

namespace fiducial {
namespace {

std::optional<double> mean_of_shuffled(std::span<const double> sums) {
  if (sums[1] == 0) return std::nullopt;
  return sums[0] / sums[1];
}

// One value a cluster, as its sum and count.
std::vector<double> with_counts(const std::vector<double>& values) {
  std::vector<double> out;
  for (const double value : values) out.insert(out.end(), {value, 1.0});
  return out;
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> out;
  for (const Json& item : *list.as_array()) out.push_back(*item.as_number());
  return out;
}

PermutationTest tested(const std::vector<double>& a, const std::vector<double>& b,
                       PermutationOptions options = {}) {
  return *permutation_test({a, b, 2}, mean_of_shuffled, options);
}

TEST(PermutationTest, gives_one_for_identical_systems) {
  const std::vector<double> sums = with_counts({0.2, 0.9, 0.4, 0.7});
  EXPECT_EQ(tested(sums, sums).p, 1);
  EXPECT_TRUE(tested(sums, sums).exact);
}

TEST(PermutationTest, enumerates_two_of_all_exchanges_when_one_system_always_wins) {
  const PermutationTest found = tested(with_counts({2, 3, 4, 5}), with_counts({1, 1, 1, 1}));
  EXPECT_EQ(found.p, 2.0 / 16);
  EXPECT_EQ(found.permutations, 16);
  EXPECT_TRUE(found.exact);
}

TEST(PermutationTest, leaves_clusters_without_a_difference_out_of_the_enumeration) {
  const PermutationTest found = tested(with_counts({2, 3, 4, 0.5}), with_counts({1, 1, 1, 0.5}));
  EXPECT_EQ(found.p, 2.0 / 8);
  EXPECT_EQ(found.permutations, 8);
}

TEST(PermutationTest, never_gives_zero_for_random_exchanges) {
  const std::vector<double> a = with_counts(std::vector<double>(40, 1.0));
  const std::vector<double> b = with_counts(std::vector<double>(40, 0.0));
  const PermutationTest found = tested(a, b, {.permutations = 500, .seed = 3});
  EXPECT_EQ(found.p, 1.0 / 501);
  EXPECT_FALSE(found.exact);
}

TEST(PermutationTest, is_the_same_for_the_same_seed) {
  Random random(5);
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 30; ++i) {
    a.push_back(random.uniform());
    b.push_back(random.uniform());
  }
  const PermutationOptions options{.permutations = 999, .seed = 11};
  EXPECT_EQ(tested(with_counts(a), with_counts(b), options).p,
            tested(with_counts(a), with_counts(b), options).p);
}

TEST(PermutationTest, has_no_value_where_the_difference_has_none) {
  const std::vector<double> none{0, 0, 0, 0};
  EXPECT_FALSE(permutation_test({none, with_counts({1, 2}), 2}, mean_of_shuffled, {}));
}

// The obvious version: every sign of every cluster's difference.
double enumerated_signs(const std::vector<double>& a, const std::vector<double>& b) {
  double observed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) observed += a[i] - b[i];
  int extreme = 0;
  for (unsigned bits = 0; bits < 1U << a.size(); ++bits) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (bits >> i & 1U) != 0 ? b[i] - a[i] : a[i] - b[i];
    extreme += std::abs(sum) >= std::abs(observed) - 1e-12 ? 1 : 0;
  }
  return extreme / std::ldexp(1.0, static_cast<int>(a.size()));
}

TEST(PermutationTest, equals_the_enumeration_of_all_signs) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    std::vector<double> a;
    std::vector<double> b;
    for (std::int64_t i = random.between(2, 9); i > 0; --i) {
      a.push_back(static_cast<double>(random.between(0, 8)) / 8);
      b.push_back(static_cast<double>(random.between(0, 8)) / 8);
    }
    EXPECT_DOUBLE_EQ(tested(with_counts(a), with_counts(b)).p, enumerated_signs(a, b)) << "seed " << seed;
  }
}

TEST(PermutationTest, agrees_with_scipy) {
  const Json recorded = reference_values("permutation.json");
  for (const Json& one : *recorded.find("cases")->as_array()) {
    const std::vector<double> a = numbers(*one.find("a"));
    const std::vector<double> b = numbers(*one.find("b"));
    const bool exact = *one.find("exact")->as_bool();
    const PermutationTest found =
        tested(with_counts(a), with_counts(b), {.permutations = exact ? 100000 : 50000, .seed = 1});
    EXPECT_EQ(found.exact, exact);
    // Random exchanges differ by chance: five standard errors of both together.
    const double p = *one.find("p")->as_number();
    const double tolerance = exact ? 1e-12 : 5 * std::sqrt(2 * p * (1 - p) / 50000);
    EXPECT_NEAR(found.p, p, tolerance);
  }
}

}  // namespace
}  // namespace fiducial
