#include "fiducial/spatial/orientation_probe.h"

#include <algorithm>
#include <cmath>

#include "fiducial/spatial/dice_of_overlap.h"

namespace fiducial {

namespace {

constexpr double good_enough = 0.3;              // no question is asked above this mean Dice
constexpr double least_fit = 0.1;                // a rearrangement must reach this,
constexpr double least_gain = 0.05;              // gain this much,
constexpr double least_factor = 2;               // and at least double the Dice
constexpr std::int64_t sampled_voxels = 40'000;  // a finding, while candidates are compared

// Which voxels of a volume are set, one bit each.
class VoxelBits {
 public:
  explicit VoxelBits(const LabelMap& map)
      : extent_(map.extent()), words_(static_cast<std::size_t>((map.extent().count() + 63) / 64)) {
    for (const LabelRun& run : map.runs()) {
      for (std::int32_t x = run.begin; x < run.end; ++x) {
        const auto at = static_cast<std::uint64_t>(run.row * extent_.x + x);
        words_[at / 64] |= std::uint64_t{1} << (at % 64);
      }
    }
  }
  bool test(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto at = static_cast<std::uint64_t>((z * extent_.y + y) * extent_.x + x);
    return ((words_[at / 64] >> (at % 64)) & 1U) != 0;
  }

 private:
  Extent extent_;
  std::vector<std::uint64_t> words_;
};

using ProbedVoxel = std::array<std::int32_t, 3>;

// Every stride-th voxel of a map, in the order of its runs.
std::vector<ProbedVoxel> voxels_of(const LabelMap& map, std::int64_t stride) {
  std::vector<ProbedVoxel> out;
  const auto ny = static_cast<std::int32_t>(map.extent().y);
  std::int64_t until_next = 0;
  for (const LabelRun& run : map.runs()) {
    for (std::int32_t x = run.begin; x < run.end; ++x) {
      if (until_next-- > 0) continue;
      until_next = stride - 1;
      out.push_back({x, run.row % ny, run.row / ny});
    }
  }
  return out;
}

// How many of the voxels fall into the reference once they are moved.
std::int64_t hits(const VoxelBits& reference, const Extent& from, std::span<const ProbedVoxel> voxels,
                  const Reorientation& how) {
  std::int64_t count = 0;
  for (const ProbedVoxel& voxel : voxels) {
    std::array<std::int64_t, 3> to{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<std::size_t>(how.source[i]);
      to[i] = how.reversed[i] ? from[how.source[i]] - 1 - voxel[axis] : voxel[axis];
    }
    count += reference.test(to[0], to[1], to[2]) ? 1 : 0;
  }
  return count;
}

// One finding of both sides, ready to be tried.
struct ProbedFinding {
  VoxelBits reference;
  std::int64_t reference_voxels;
  std::int64_t prediction_voxels;
  std::int64_t stride;
  std::vector<ProbedVoxel> sample;
  const LabelMap* prediction;
};

double estimated_dice(const ProbedFinding& finding, const Extent& from, const Reorientation& how) {
  const std::int64_t shared = hits(finding.reference, from, finding.sample, how) * finding.stride;
  const std::int64_t sum = finding.reference_voxels + finding.prediction_voxels;
  return sum == 0 ? 1.0 : std::min(1.0, 2.0 * static_cast<double>(shared) / static_cast<double>(sum));
}

double exact_dice_under(const ProbedFinding& finding, const Extent& from, const Reorientation& how) {
  const std::vector<ProbedVoxel> all = voxels_of(*finding.prediction, 1);
  return dice_of(
      {finding.reference_voxels, finding.prediction_voxels, hits(finding.reference, from, all, how)});
}

template <typename Dice>
double sum_over(const std::vector<ProbedFinding>& findings, Dice dice) {
  double sum = 0;
  for (const ProbedFinding& finding : findings) sum += dice(finding);
  return sum;
}

// How many findings are not empty on both sides: those that an orientation can matter to.
std::size_t informative(std::span<const LabelMap> reference, std::span<const LabelMap> prediction) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    count += reference[i].empty() && prediction[i].empty() ? 0U : 1U;
  }
  return count;
}

// Sum of Dice over the informative findings as they stand; 0 where the shapes do not allow it.
double dice_sum_as_is(std::span<const LabelMap> reference, std::span<const LabelMap> prediction) {
  if (reference.front().extent() != prediction.front().extent()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].empty() || prediction[i].empty()) continue;
    sum += dice_of(*overlap(reference[i].foreground(), prediction[i].foreground()));
  }
  return sum;
}

std::vector<ProbedFinding> probed(std::span<const LabelMap> reference, std::span<const LabelMap> prediction) {
  std::vector<ProbedFinding> out;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (reference[i].empty() || prediction[i].empty()) continue;
    const std::int64_t voxels = prediction[i].count();
    const std::int64_t stride = 1 + voxels / sampled_voxels;
    out.push_back({VoxelBits(reference[i]), reference[i].count(), voxels, stride,
                   voxels_of(prediction[i], stride), &prediction[i]});
  }
  return out;
}

}  // namespace

std::optional<OrientationVerdict> probe_orientation(std::span<const LabelMap> reference,
                                                    std::span<const LabelMap> prediction) {
  if (reference.empty() || reference.size() != prediction.size()) return std::nullopt;
  const auto count = static_cast<double>(informative(reference, prediction));
  const double now = count > 0 ? dice_sum_as_is(reference, prediction) / count : 1;
  if (now >= good_enough) return std::nullopt;
  const std::vector<ProbedFinding> findings = probed(reference, prediction);
  const Extent& from = prediction.front().extent();
  const Reorientation* best = nullptr;
  double best_estimate = 0;
  for (const Reorientation& how : Reorientation::all()) {
    if (how.is_identity() || how.apply(from) != reference.front().extent()) continue;
    const double estimate =
        sum_over(findings, [&](const auto& finding) { return estimated_dice(finding, from, how); });
    if (estimate <= best_estimate) continue;
    best_estimate = estimate;
    best = &how;
  }
  if (best == nullptr) return std::nullopt;
  // Findings that are empty on one side score 0 in any orientation and stay in the mean.
  const double then =
      sum_over(findings, [&](const auto& finding) { return exact_dice_under(finding, from, *best); }) / count;
  if (then < least_fit || then < now + least_gain || then < least_factor * now) return std::nullopt;
  return OrientationVerdict{*best, now, then};
}

}  // namespace fiducial
