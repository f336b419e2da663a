#include "fiducial/stats/count_tests.h"

#include <vector>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

// Values of SciPy 1.17: scipy.stats.chi2.sf, binomtest and chisquare.
TEST(ChiSquareTail, equals_scipy_for_even_and_odd_degrees) {
  EXPECT_NEAR(chi_square_tail(12.3, 4), 0.015254394655769615, 1e-14);
  EXPECT_NEAR(chi_square_tail(3.84, 1), 0.05004352124870519, 1e-14);
  EXPECT_NEAR(chi_square_tail(7.0, 3), 0.07189777249646509, 1e-14);
  EXPECT_NEAR(chi_square_tail(2.0, 2), 0.36787944117144233, 1e-14);
  EXPECT_NEAR(chi_square_tail(11.0, 5), 0.05137998348306898, 1e-14);
  EXPECT_EQ(chi_square_tail(0, 4), 1);
}

TEST(BinomialP, counts_what_is_as_far_from_the_expected_number) {
  EXPECT_NEAR(binomial_p(8, 10, 0.5), 0.109375, 1e-12);
  EXPECT_NEAR(binomial_p(5, 10, 0.5), 1, 1e-12);
  EXPECT_NEAR(binomial_p(0, 4, 0.2), 0.5904, 1e-12);  // 0 is 0.8 away; 1 is not, 2 to 4 are
  EXPECT_EQ(binomial_p(0, 0, 0.2), 1);
  EXPECT_LT(binomial_p(5000, 7347, 0.2), 1e-12);
}

TEST(Evenness, equals_scipy_and_its_permutations_agree) {
  const std::vector<std::int64_t> letters = {182, 140, 130, 138, 130};
  const EvennessTest test = evenness(letters, 4000, 1);
  EXPECT_NEAR(test.chi_square, 13.11111111111111, 1e-12);
  EXPECT_NEAR(test.p, 0.010745454750615814, 1e-14);
  EXPECT_NEAR(test.permutation_p, test.p, 0.01);
  EXPECT_EQ(evenness(letters, 100, 3).permutation_p, evenness(letters, 100, 3).permutation_p);
}

TEST(Evenness, has_nothing_to_say_about_nothing) {
  EXPECT_EQ(evenness({}, 10, 0).p, 1);
  const std::vector<std::int64_t> zeros(5);
  EXPECT_EQ(evenness(zeros, 10, 0).p, 1);
  const std::vector<std::int64_t> even(5, 20);
  EXPECT_EQ(evenness(even, 10, 0).permutation_p, 1);
}

}  // namespace
}  // namespace fiducial
