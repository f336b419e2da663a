#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// How often each whole value occurs. Values are rounded; those far outside any CT share the outermost bins.
class ValueHistogram {
 public:
  ValueHistogram();

  void add(std::span<const float> values);

  std::int64_t count() const { return count_; }            // finite values
  std::int64_t fractional() const { return fractional_; }  // of them, those that were no whole numbers
  // Values v with low <= v <= high, after rounding.
  std::int64_t between(double low, double high) const;
  // The value between low and high with most others near it; the middle of equal ones.
  std::int64_t peak(double low, double high) const;
  // The smallest value that at least this share of all values does not exceed.
  std::int64_t quantile(double share) const;

 private:
  std::vector<std::int64_t> bins_;
  std::int64_t count_ = 0;
  std::int64_t fractional_ = 0;
};

// How stored values become Hounsfield units: slope * value + intercept.
struct Rescale {
  double slope = 1;
  double intercept = -1024;

  bool changes_values() const { return slope != 1 || intercept != 0; }
  friend bool operator==(const Rescale&, const Rescale&) = default;
};

// How many times a rescale has been applied to the values of a CT.
enum class RescaleState { unrecognised, never, once, twice };

// What the histogram of a CT says. Shares are of all values.
struct RescaleVerdict {
  RescaleState state = RescaleState::unrecognised;
  Rescale rescale;           // the one that was not applied, or applied twice
  std::int64_t air = 0;      // where air and lung would peak, as the values are
  std::int64_t tissue = 0;   // where fat and soft tissue peak, as the values are
  double air_share = 0;      // of values near air and lung, by this verdict
  double tissue_share = 0;   // of values near fat and soft tissue, by this verdict
  double share_as_hu = 0;    // of values near either, taken as HU as they are
  double dense_as_hu = 0;    // of values above 800, taken as HU as they are
  std::int64_t sampled = 0;  // values looked at; 0 where they were too few

  // "air at -2024 (38.1 %), soft tissue at -984 (40.2 %) of 1572864 sampled voxels"
  std::string evidence() const;
};

// The rescales a CT is held against where its metadata names none.
inline constexpr Rescale usual_rescales[] = {{1, -1024}, {1, -8192}};

// Recognises whether the values of a CT are in HU (once), as the scanner stored them (never), or rescaled
// twice. In HU, air and lung lie between -1200 and -450, fat and soft tissue between -300 and 300, and at
// most a tenth above 800; padding may lie anywhere below. Each candidate is judged by the share of values it
// explains, less those it makes dense. Taking the values as HU is given up only for a candidate that finds
// both air and tissue and explains at least a tenth of all values more; where it would leave air without any
// tissue, half of what it explains counts.
//
// Unrecognised are fewer than 1000 values, values of which less than half are explained (padding apart), and
// fractions within a narrow span (normalised images).
RescaleVerdict recognise_rescale(const ValueHistogram& values, std::span<const Rescale> candidates);

}  // namespace fiducial
