#include "fiducial/metrics/distance_matching.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "fiducial/base/case_budget.h"

namespace fiducial {

namespace {

// One instance, with what is needed to tell how far another is.
struct Instance {
  std::int32_t label = 0;
  Mask mask;
  VoxelBox bounds;
  Vec3 centroid_mm{};
};

std::vector<Instance> instances_of(const LabelMap& labels, const Vec3& spacing_mm) {
  std::vector<Instance> out;
  for (const std::int32_t label : labels.labels()) {
    if (CaseBudget::is_out_of_time()) break;
    Mask mask = labels.where(label);
    const VoxelBox bounds = mask.bounds();
    const Vec3 centroid = centroid_mm(mask, spacing_mm);
    out.push_back({label, std::move(mask), bounds, centroid});
  }
  return out;
}

// No two voxels of the boxes are nearer than this.
double gap_mm(const VoxelBox& a, const VoxelBox& b, const Vec3& spacing_mm) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t steps =
        std::max({a.low[i] - (b.high[i] - 1), b.low[i] - (a.high[i] - 1), std::int64_t{0}});
    const double mm = static_cast<double>(steps) * spacing_mm[i];
    sum += mm * mm;
  }
  return std::sqrt(sum);
}

// The distance of two instances, if it is within the limit.
std::optional<double> distance_within(const Instance& a, const Instance& b, const FindingContext& context,
                                      double limit_mm) {
  const Vec3& spacing_mm = *context.spacing_mm;
  double found = 0;
  if (*context.focal) {
    found = distance_mm(a.centroid_mm, b.centroid_mm);
  } else {
    // A mean of distances is at least the least of them; rounding is given a little room.
    if (gap_mm(a.bounds, b.bounds, spacing_mm) > 1.001 * limit_mm) return std::nullopt;
    found = pooled_surface_distance_mm(SurfaceComparison(a.mask, b.mask, spacing_mm));
  }
  return found <= limit_mm ? std::optional(found) : std::nullopt;
}

}  // namespace

Vec3 centroid_mm(const Mask& mask, const Vec3& spacing_mm) {
  FIDUCIAL_ASSERT(!mask.empty());
  // Twice the sums, so that the middle of a run is an integer.
  std::array<std::int64_t, 3> twice{};
  for (const MaskRun& run : mask.runs()) {
    const std::int64_t count = run.end - run.begin;
    twice[0] += count * (run.begin + run.end - 1);
    twice[1] += count * 2 * (run.row % mask.extent().y);
    twice[2] += count * 2 * (run.row / mask.extent().y);
  }
  Vec3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = static_cast<double>(twice[i]) / static_cast<double>(2 * mask.count()) * spacing_mm[i];
  }
  return out;
}

double distance_mm(const Vec3& a, const Vec3& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

double pooled_surface_distance_mm(const SurfaceComparison& surfaces) {
  const auto& [a, b] = surfaces.voxel_edge_distances();
  const auto count_a = static_cast<double>(a.distance_mm.size());
  const auto count_b = static_cast<double>(b.distance_mm.size());
  return (mean_distance_mm(a) * count_a + mean_distance_mm(b) * count_b) / (count_a + count_b);
}

InstanceCounts match_by_distance(const FindingPair& pair) {
  const FindingContext& context = pair.context();
  const Vec3& spacing_mm = *context.spacing_mm;
  const double limit_mm = 2 * *std::max_element(spacing_mm.begin(), spacing_mm.end());
  const std::vector<Instance> reference = instances_of(pair.reference(), spacing_mm);
  const std::vector<Instance> prediction = instances_of(pair.kept_components(), spacing_mm);
  std::vector<std::tuple<double, std::int32_t, std::int32_t>> candidates;
  for (const Instance& a : reference) {
    for (const Instance& b : prediction) {
      if (CaseBudget::is_out_of_time()) break;  // the surfaces of one pair may take seconds
      if (const auto found = distance_within(a, b, context, limit_mm)) {
        candidates.emplace_back(*found, a.label, b.label);
      }
    }
  }
  std::sort(candidates.begin(), candidates.end());
  std::set<std::int32_t> matched_reference;
  std::set<std::int32_t> matched_prediction;
  for (const auto& [distance, a, b] : candidates) {
    if (matched_reference.contains(a) || matched_prediction.contains(b)) continue;
    matched_reference.insert(a);
    matched_prediction.insert(b);
  }
  InstanceCounts out;
  out.true_positives = static_cast<std::int64_t>(matched_reference.size());
  out.false_negatives = static_cast<std::int64_t>(reference.size()) - out.true_positives;
  for (const Instance& b : prediction) {
    out.false_positives += matched_prediction.contains(b.label) || pair.is_ignored(b.label) ? 0 : 1;
  }
  return out;
}

}  // namespace fiducial
