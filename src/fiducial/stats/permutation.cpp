#include "fiducial/stats/permutation.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/error.h"
#include "fiducial/base/random.h"

namespace fiducial {

namespace {

// Exchanges the clusters in which the systems differ; the others are summed once.
class Exchanges {
 public:
  Exchanges(const PairedSums& pair, const ClusterBootstrap::Statistic& statistic)
      : pair_(pair), statistic_(statistic), fixed_a_(pair.width), fixed_b_(pair.width) {
    for (std::size_t c = 0; c < pair.clusters(); ++c) {
      const auto a = pair.a.subspan(c * pair.width, pair.width);
      const auto b = pair.b.subspan(c * pair.width, pair.width);
      if (std::equal(a.begin(), a.end(), b.begin())) {
        add(a, fixed_a_);
        add(b, fixed_b_);
      } else {
        differing_.push_back(c);
      }
    }
    const auto a = statistic(summed(pair.a, pair.width));
    const auto b = statistic(summed(pair.b, pair.width));
    defined_ = a && b;
    if (!defined_) return;
    // Sums taken in another order may differ in their last bits; a tie must still count as one.
    const double slack = 1e-12 * std::max(std::abs(*a), std::abs(*b));
    least_ = std::abs(*a - *b) - slack;
  }

  bool defined() const { return defined_; }
  std::size_t differing() const { return differing_.size(); }

  // exchanged(i) tells whether the i-th differing cluster changes sides.
  template <typename Exchanged>
  bool is_extreme(Exchanged exchanged) {
    a_ = fixed_a_;
    b_ = fixed_b_;
    for (std::size_t i = 0; i < differing_.size(); ++i) {
      const auto a = pair_.a.subspan(differing_[i] * pair_.width, pair_.width);
      const auto b = pair_.b.subspan(differing_[i] * pair_.width, pair_.width);
      const bool swap = exchanged(i);
      add(swap ? b : a, a_);
      add(swap ? a : b, b_);
    }
    const auto a = statistic_(a_);
    const auto b = statistic_(b_);
    return !a || !b || std::abs(*a - *b) >= least_;
  }

 private:
  static void add(std::span<const double> values, std::vector<double>& to) {
    for (std::size_t k = 0; k < values.size(); ++k) to[k] += values[k];
  }

  const PairedSums& pair_;
  const ClusterBootstrap::Statistic& statistic_;
  std::vector<double> fixed_a_, fixed_b_;  // sums of the clusters that do not differ
  std::vector<double> a_, b_;
  std::vector<std::size_t> differing_;
  bool defined_ = false;
  double least_ = 0;
};

PermutationTest enumerated(Exchanges& exchanges) {
  const std::uint64_t all = std::uint64_t{1} << exchanges.differing();
  std::int64_t extreme = 0;
  for (std::uint64_t bits = 0; bits < all; ++bits) {
    extreme += exchanges.is_extreme([bits](std::size_t i) { return (bits >> i & 1U) != 0; }) ? 1 : 0;
  }
  return {static_cast<double>(extreme) / static_cast<double>(all), static_cast<std::int64_t>(all), true};
}

PermutationTest drawn(Exchanges& exchanges, const PermutationOptions& options) {
  Random random(options.seed, "permutation");
  std::int64_t extreme = 0;
  std::vector<std::uint64_t> words((exchanges.differing() + 63) / 64);
  for (int n = 0; n < options.permutations; ++n) {
    for (std::uint64_t& word : words) word = random.next();
    extreme +=
        exchanges.is_extreme([&](std::size_t i) { return (words[i / 64] >> i % 64 & 1U) != 0; }) ? 1 : 0;
  }
  return {static_cast<double>(extreme + 1) / static_cast<double>(options.permutations + 1),
          options.permutations, false};
}

}  // namespace

std::optional<PermutationTest> permutation_test(const PairedSums& pair,
                                                const ClusterBootstrap::Statistic& statistic,
                                                const PermutationOptions& options) {
  FIDUCIAL_ASSERT(pair.a.size() == pair.b.size());
  Exchanges exchanges(pair, statistic);
  if (!exchanges.defined()) return std::nullopt;
  const std::size_t differing = exchanges.differing();
  const bool few = differing < 31 && (std::int64_t{1} << differing) <= options.permutations;
  return few ? enumerated(exchanges) : drawn(exchanges, options);
}

}  // namespace fiducial
