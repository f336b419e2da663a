#include "fiducial/stats/count_tests.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "fiducial/base/random.h"

namespace fiducial {

namespace {

double chi_square_of(std::span<const std::int64_t> counts, double expected) {
  double out = 0;
  for (const std::int64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    out += difference * difference / expected;
  }
  return out;
}

}  // namespace

// The closed forms for whole degrees of freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5).
double chi_square_tail(double value, int degrees) {
  if (!(value > 0)) return 1;
  const double half = value / 2;
  const bool is_even = degrees % 2 == 0;
  double term = is_even ? 1 : 2 * std::sqrt(half / std::numbers::pi);
  double sum = is_even ? 1 : 0;
  for (int k = is_even ? 2 : 3; k <= degrees - (is_even ? 2 : 0); k += 2) {
    if (!is_even) sum += term;
    term *= value / k;
    if (is_even) sum += term;
  }
  return std::clamp(std::exp(-half) * sum + (is_even ? 0 : std::erfc(std::sqrt(half))), 0.0, 1.0);
}

double binomial_p(std::int64_t successes, std::int64_t n, double chance) {
  if (n <= 0) return 1;
  const double expected = static_cast<double>(n) * chance;
  // A tie is a tie, whatever rounding does to it.
  const double far = std::abs(static_cast<double>(successes) - expected) * (1 - 1e-12);
  double log_ways = 0;
  double sum = 0;
  for (std::int64_t k = 0; k <= n; ++k) {
    if (std::abs(static_cast<double>(k) - expected) >= far) {
      sum += std::exp(log_ways + static_cast<double>(k) * std::log(chance) +
                      static_cast<double>(n - k) * std::log1p(-chance));
    }
    log_ways += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
  }
  return std::min(1.0, sum);
}

EvennessTest evenness(std::span<const std::int64_t> counts, int permutations, std::uint64_t seed) {
  EvennessTest out;
  const std::int64_t total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (counts.size() < 2 || total == 0) return out;
  const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
  out.chi_square = chi_square_of(counts, expected);
  out.p = chi_square_tail(out.chi_square, static_cast<int>(counts.size()) - 1);
  Random random(seed, "evenness");
  std::int64_t as_uneven = 0;
  for (int i = 0; i < permutations; ++i) {
    std::vector<std::int64_t> drawn(counts.size());
    for (std::int64_t k = 0; k < total; ++k) ++drawn[random.below(counts.size())];
    if (chi_square_of(drawn, expected) >= out.chi_square * (1 - 1e-12)) ++as_uneven;
  }
  out.permutation_p = static_cast<double>(as_uneven + 1) / static_cast<double>(permutations + 1);
  return out;
}

}  // namespace fiducial
