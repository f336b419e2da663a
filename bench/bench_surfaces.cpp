// bench_surfaces STAGE REFERENCE PREDICTION: surfaces of every finding, served as in repetitions.h.
//
// nsd: surfel NSD at 1 mm; full: NSD at 1 and 2 mm, HD95, HD and both mean distances of surfels;
// all: the same with every voxel-edge variant. values prints what "full" computes, a line a finding, for
// comparison with the surface-distance package. Spacing is that of the benchmark's CT.

#include <algorithm>
#include <string_view>

#include "fiducial/image/label_decoder.h"
#include "fiducial/spatial/surface_distance.h"

#include "repetitions.h"

namespace fiducial::bench {

namespace {

constexpr Vec3 spacing_mm{0.75, 0.75, 1.12};

struct MaskPair {
  Mask reference;
  Mask prediction;
};

Result<std::vector<LabelMap>> decode(const Path& path) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(path));
  FIDUCIAL_TRY(LabelStack stack, decode_labels(stream, ChannelAxis::first));
  return std::move(stack.channels);
}

double nsd(const SurfaceComparison& surfaces, double tolerance_mm) {
  const auto [a, b] = surfaces.surfel_shares(tolerance_mm);
  return (a.within + b.within) / (a.all + b.all);
}

using Values = std::vector<double>;

Values surfel_values(const SurfaceComparison& surfaces) {
  const auto& [a, b] = surfaces.surfel_distances();
  return {nsd(surfaces, 1),
          nsd(surfaces, 2),
          std::max(area_percentile_mm(a, 95), area_percentile_mm(b, 95)),
          std::max(area_percentile_mm(a, 100), area_percentile_mm(b, 100)),
          mean_distance_mm(a),
          mean_distance_mm(b)};
}

Values edge_values(const SurfaceComparison& surfaces) {
  const auto& [a, b] = surfaces.voxel_edge_distances();
  std::vector<double> pooled = a.distance_mm;
  pooled.insert(pooled.end(), b.distance_mm.begin(), b.distance_mm.end());
  return {surfaces.voxel_edge_shares(1).reference.within,
          linear_percentile(a.distance_mm, 95),
          linear_percentile(b.distance_mm, 95),
          linear_percentile(pooled, 95),
          mean_distance_mm(a),
          mean_distance_mm(b)};
}

Values values_of(std::string_view stage, const MaskPair& pair) {
  const SurfaceComparison surfaces(pair.reference, pair.prediction, spacing_mm);
  if (stage == "nsd") return {nsd(surfaces, 1)};
  Values out = surfel_values(surfaces);
  if (stage == "all") {
    for (const double value : edge_values(surfaces)) out.push_back(value);
  }
  return out;
}

int print_values(const std::vector<MaskPair>& pairs) {
  for (const MaskPair& pair : pairs) {
    std::string line;
    for (const double value : values_of("full", pair)) line += shortest(value) + " ";
    std::puts(line.c_str());
  }
  return 0;
}

int run_stage(std::string_view stage, const Path& reference, const Path& prediction) {
  const Result<std::vector<LabelMap>> a = decode(reference);
  const Result<std::vector<LabelMap>> b = decode(prediction);
  if (!a.ok() || !b.ok()) return 1;
  std::vector<MaskPair> pairs;
  for (std::size_t i = 0; i < a->size(); ++i) pairs.push_back({(*a)[i].foreground(), (*b)[i].foreground()});
  if (stage == "values") return print_values(pairs);
  return answer_repetitions([&]() -> std::optional<Took> {
    return timed([&] {
      for (const MaskPair& pair : pairs) values_of(stage, pair);
    });
  });
}

}  // namespace

}  // namespace fiducial::bench

int main(int argc, char** argv) {
  if (argc == 4) return fiducial::bench::run_stage(argv[1], argv[2], argv[3]);
  std::fputs("usage: bench_surfaces nsd|full|all|values REFERENCE PREDICTION\n", stderr);
  return 2;
}
