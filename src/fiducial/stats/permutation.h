#pragma once

#include <cstdint>
#include <optional>

#include "fiducial/stats/paired_difference.h"

namespace fiducial {

// How often chance alone gives a difference at least as large.
struct PermutationTest {
  double p = 1;
  std::int64_t permutations = 0;  // how many were looked at
  bool exact = false;             // all there are
};

struct PermutationOptions {
  int permutations = 10000;
  std::uint64_t seed = 0;
};

// Two-sided test of a paired difference: were the systems alike, each cluster's two sets of sums could as
// well be exchanged. For a mean this is the sign-flip test of the clusters' differences.
//
// Where the clusters that differ allow no more exchanges than asked for, all are enumerated and p is their
// share; else seeded random ones are drawn and p = (c + 1) / (n + 1) (Phipson and Smyth, 2010). An exchange
// after which the statistic has no value counts as extreme. Nothing where the difference has no value.
std::optional<PermutationTest> permutation_test(const PairedSums& pair,
                                                const ClusterBootstrap::Statistic& statistic,
                                                const PermutationOptions& options);

}  // namespace fiducial
