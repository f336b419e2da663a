#include "fiducial/image/rescale_state.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::int64_t least_value = -40'000;
constexpr std::int64_t greatest_value = 70'000;
constexpr std::int64_t peak_width = 10;  // to either side

// Bands in HU.
constexpr double air_low = -1200;
constexpr double air_high = -450;
constexpr double tissue_low = -300;
constexpr double tissue_high = 300;
constexpr double dense_low = 801;
constexpr double void_high = -1501;

constexpr std::int64_t least_sample = 1000;
constexpr double least_air = 0.02;
constexpr double least_tissue = 0.05;
constexpr double trace_of_tissue = 0.01;
constexpr double most_dense = 0.1;
constexpr double least_explained = 0.5;
constexpr double least_gain = 0.1;
constexpr std::int64_t normalised_span = 50;  // no CT has less contrast

std::size_t bin_of(double value) {
  const double inside =
      std::clamp(value, static_cast<double>(least_value), static_cast<double>(greatest_value));
  return static_cast<std::size_t>(std::llround(inside) - least_value);
}

// What values would be in HU: value = factor * hu + offset.
struct Hypothesis {
  RescaleState state = RescaleState::once;
  Rescale rescale;
  double factor = 1;
  double offset = 0;
};

// The shares of values in the bands of a hypothesis.
struct Shares {
  double air = 0;
  double tissue = 0;
  double dense = 0;
  double void_share = 0;  // below anything real: padding

  double score() const { return air + tissue - dense; }
};

class Judge {
 public:
  explicit Judge(const ValueHistogram& values) : values_(values) {}

  Shares shares(const Hypothesis& hypothesis) const {
    return {.air = share(hypothesis, air_low, air_high),
            .tissue = share(hypothesis, tissue_low, tissue_high),
            .dense = share(hypothesis, dense_low, 1e9),
            .void_share = share(hypothesis, -1e9, void_high)};
  }

  RescaleVerdict verdict(const Hypothesis& hypothesis) const {
    const Shares found = shares(hypothesis);
    const Shares plain = shares({});
    const auto stored = [&](double hu) { return hypothesis.factor * hu + hypothesis.offset; };
    return {.state = hypothesis.state,
            .rescale = hypothesis.rescale,
            .air = values_.peak(stored(air_low), stored(air_high)),
            .tissue = values_.peak(stored(tissue_low), stored(tissue_high)),
            .air_share = found.air,
            .tissue_share = found.tissue,
            .share_as_hu = plain.air + plain.tissue,
            .dense_as_hu = plain.dense,
            .sampled = values_.count()};
  }

 private:
  double share(const Hypothesis& hypothesis, double low_hu, double high_hu) const {
    const std::int64_t found = values_.between(hypothesis.factor * low_hu + hypothesis.offset,
                                               hypothesis.factor * high_hu + hypothesis.offset);
    return static_cast<double>(found) / static_cast<double>(values_.count());
  }

  const ValueHistogram& values_;
};

}  // namespace

ValueHistogram::ValueHistogram() : bins_(static_cast<std::size_t>(greatest_value - least_value + 1)) {}

void ValueHistogram::add(std::span<const float> values) {
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    ++bins_[bin_of(value)];
    ++count_;
    fractional_ += std::nearbyint(value) == value ? 0 : 1;
  }
}

std::int64_t ValueHistogram::between(double low, double high) const {
  if (high < low) return 0;
  const auto first = bins_.begin() + static_cast<std::ptrdiff_t>(bin_of(std::ceil(low)));
  const auto last = bins_.begin() + static_cast<std::ptrdiff_t>(bin_of(std::floor(high)));
  std::int64_t out = 0;
  for (auto bin = first; bin <= last; ++bin) out += *bin;
  return out;
}

std::int64_t ValueHistogram::peak(double low, double high) const {
  const auto first = static_cast<std::int64_t>(bin_of(std::ceil(low)));
  const auto last = static_cast<std::int64_t>(bin_of(std::floor(high)));
  std::int64_t best = -1;
  std::int64_t begin = first;
  std::int64_t end = first;
  for (std::int64_t at = first; at <= last; ++at) {
    std::int64_t near = 0;
    for (std::int64_t i = std::max(first, at - peak_width); i <= std::min(last, at + peak_width); ++i) {
      near += bins_[static_cast<std::size_t>(i)];
    }
    if (near > best) {
      best = near;
      begin = end = at;
    } else if (near == best && at == end + 1) {
      end = at;
    }
  }
  return (begin + end) / 2 + least_value;
}

std::int64_t ValueHistogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    seen += bins_[i];
    if (seen > 0 && static_cast<double>(seen) >= wanted) return static_cast<std::int64_t>(i) + least_value;
  }
  return greatest_value;
}

std::string RescaleVerdict::evidence() const {
  return "air and lung peak at " + decimal(air) + " (" + percent_text(air_share) +
         "), fat and soft tissue at " + decimal(tissue) + " (" + percent_text(tissue_share) + ") of " +
         decimal(sampled) + " sampled voxels; taken as HU as they are, " + percent_text(share_as_hu) +
         " would be air or soft tissue and " + percent_text(dense_as_hu) + " denser than 800 HU";
}

RescaleVerdict recognise_rescale(const ValueHistogram& values, std::span<const Rescale> candidates) {
  if (values.count() < least_sample) return {};
  const Judge judge(values);
  Hypothesis best;
  const Shares plain = judge.shares(best);
  // Nobody scans air alone: without any tissue the values have to be explained better than that.
  const double trust = plain.tissue < trace_of_tissue ? 0.5 : 1;
  double best_score = trust * plain.score() + least_gain;
  for (const Rescale& rescale : candidates) {
    if (!rescale.changes_values() || !(rescale.slope > 0)) continue;
    const double inverse = 1 / rescale.slope;
    for (const Hypothesis& other :
         {Hypothesis{RescaleState::never, rescale, inverse, -rescale.intercept * inverse},
          Hypothesis{RescaleState::twice, rescale, rescale.slope, rescale.intercept}}) {
      const Shares found = judge.shares(other);
      const bool fits = found.air >= least_air && found.tissue >= least_tissue && found.dense <= most_dense;
      if (!fits || found.score() <= best_score) continue;
      best = other;
      best_score = found.score();
    }
  }
  RescaleVerdict out = judge.verdict(best);
  const bool is_normalised = 2 * values.fractional() > values.count() &&
                             values.quantile(0.999) - values.quantile(0.001) < normalised_span;
  const double real_share = 1 - judge.shares(best).void_share;
  if (is_normalised || out.air_share + out.tissue_share < std::max(least_explained * real_share, 0.01)) {
    out.state = RescaleState::unrecognised;
  }
  return out;
}

}  // namespace fiducial
