#pragma once

#include <cstdint>

namespace fiducial {

// Two systems on the same yes-or-no cases: McNemar's test of whether they are right equally often. Only cases
// that exactly one of them gets right tell them apart.
struct McNemar {
  std::int64_t only_first = 0;
  std::int64_t only_second = 0;

  // Two-sided p-values; 1 where no case tells them apart.
  double exact_p() const;                 // binomial: the larger side is at least as large by chance
  double asymptotic_p() const;            // chi-squared with one degree of freedom, no correction
  double asymptotic_corrected_p() const;  // the same with the continuity correction of Edwards
};

}  // namespace fiducial
