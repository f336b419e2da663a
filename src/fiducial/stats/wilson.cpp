#include "fiducial/stats/wilson.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/error.h"

namespace fiducial {

Interval wilson95(std::int64_t successes, std::int64_t n) {
  FIDUCIAL_ASSERT(n > 0 && successes >= 0 && successes <= n);
  constexpr double z = 1.959963984540054;  // the 97.5 % quantile of the normal distribution
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double scale = 1 + z * z / count;
  const double centre = (share + z * z / (2 * count)) / scale;
  const double half = z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale;
  // At the ends the exact limit is 0 or 1; rounding must not leave the range.
  return {successes == 0 ? 0 : std::max(0.0, centre - half),
          successes == n ? 1 : std::min(1.0, centre + half)};
}

}  // namespace fiducial
