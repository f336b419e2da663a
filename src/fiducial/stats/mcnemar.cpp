#include "fiducial/stats/mcnemar.h"

#include <algorithm>
#include <cmath>

namespace fiducial {

namespace {

// P(X > x) of a chi-squared variable with one degree of freedom.
double chi_squared_tail(double x) { return std::erfc(std::sqrt(x / 2)); }

}  // namespace

double McNemar::exact_p() const {
  const std::int64_t n = only_first + only_second;
  const std::int64_t least = std::min(only_first, only_second);
  if (2 * least == n) return 1;
  // Terms of the binomial distribution from the largest down, so that small ones are not lost.
  const double log_half = std::log(0.5) * static_cast<double>(n);
  double sum = 0;
  for (std::int64_t k = least; k >= 0; --k) {
    const double term =
        std::exp(std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1) -
                 std::lgamma(static_cast<double>(n - k) + 1) + log_half);
    sum += term;
    if (term < sum * 1e-18) break;
  }
  return std::min(1.0, 2 * sum);
}

double McNemar::asymptotic_p() const {
  const auto n = static_cast<double>(only_first + only_second);
  const auto difference = static_cast<double>(only_first - only_second);
  return n == 0 ? 1 : chi_squared_tail(difference * difference / n);
}

double McNemar::asymptotic_corrected_p() const {
  const auto n = static_cast<double>(only_first + only_second);
  if (n == 0) return 1;
  const double difference = std::abs(static_cast<double>(only_first - only_second)) - 1;
  return chi_squared_tail(difference * difference / n);
}

}  // namespace fiducial
