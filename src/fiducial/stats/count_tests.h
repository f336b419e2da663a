#pragma once

#include <cstdint>
#include <span>

namespace fiducial {

// How likely a chi-square variable of so many degrees of freedom is at least the value.
double chi_square_tail(double value, int degrees);

// Exact two-sided p of a number of successes among n trials of one chance: how likely a number at least as
// far from the expected one is. 0 < chance < 1.
double binomial_p(std::int64_t successes, std::int64_t n, double chance);

// Are counts as even as chance makes them?
struct EvennessTest {
  double chi_square = 0;
  double p = 1;              // by the chi-square distribution
  double permutation_p = 1;  // (c + 1) / (n + 1) of seeded random draws at least as uneven
};

// Nothing is uneven about less than two counts or counts of nothing.
EvennessTest evenness(std::span<const std::int64_t> counts, int permutations, std::uint64_t seed);

}  // namespace fiducial
