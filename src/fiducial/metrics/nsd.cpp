#include "fiducial/metrics/surface_contract.h"

namespace fiducial {

namespace {

using Shares = SurfaceComparison::Shares;

// The share of both surfaces together that lies within the tolerance.
double pooled_share(const Shares& both) {
  return (both.reference.within + both.prediction.within) / (both.reference.all + both.prediction.all);
}

double mean_share(const Shares& both) {
  return (both.reference.within / both.reference.all + both.prediction.within / both.prediction.all) / 2;
}

// Without a surface on one side nothing agrees; without any there is nothing to agree on.
template <typename Shared>
Score nsd(const FindingPair& pair, Shared shared) {
  if (!pair.context().spacing_mm) return Score::undefined(no_spacing);
  const bool no_reference = pair.reference_mask().empty();
  const bool no_prediction = pair.predicted_mask().empty();
  if (no_reference && no_prediction) return Score::undefined("both masks are empty");
  if (no_reference || no_prediction) return 0.0;
  return shared(pair.surfaces(), pair.context().tolerance_mm);
}

MetricContract nsd_contract() {
  MetricContract out = distance_contract();
  out.better = Direction::higher;
  out.range = "[0, 1]";
  out.unit = "1";
  out.empty = {.both = "undefined", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0};
  out.parameters = "tolerance_mm 1 unless the plan says otherwise, distance <= tolerance; spacing of the CT";
  out.less_is_never_better = true;
  out.has_tolerance = true;
  return out;
}

}  // namespace

std::vector<MaskMetric> nsd_metrics() {
  MetricContract surfel = nsd_contract();
  surfel.id = "nsd_surfel";
  surfel.title = "Normalised surface Dice";
  surfel.definition =
      "area of both surfaces within the tolerance of the other, over all area; surfaces are corners of the "
      "voxel "
      "grid weighted by their marching-cubes area";
  surfel.citation = "Nikolov et al. 2021, JMIR 23(7); surface-distance, compute_surface_dice_at_tolerance";
  MetricContract edge = nsd_contract();
  edge.id = "nsd_voxel_edge";
  edge.title = "Normalised surface Dice (voxel edges)";
  edge.definition =
      "voxels of both edges within the tolerance of the other, over all edge voxels; an edge voxel has one "
      "of its 6 "
      "neighbours outside the mask";
  edge.citation = "MONAI, monai/metrics/surface_dice.py; MetricsReloaded";
  MetricContract fraction = edge;
  fraction.id = "nsd_voxel_edge_mean_fraction";
  fraction.title = "Normalised surface Dice (mean of fractions)";
  fraction.definition = "mean of the two fractions of edge voxels within the tolerance of the other edge";
  fraction.citation = "panoptica, metrics/normalized_surface_dice.py";
  return {{surfel,
           [](const FindingPair& pair) {
             return nsd(pair, [](const SurfaceComparison& surfaces, double tolerance_mm) {
               return pooled_share(surfaces.surfel_shares(tolerance_mm));
             });
           }},
          {edge,
           [](const FindingPair& pair) {
             return nsd(pair, [](const SurfaceComparison& surfaces, double tolerance_mm) {
               return pooled_share(surfaces.voxel_edge_shares(tolerance_mm));
             });
           }},
          {fraction, [](const FindingPair& pair) {
             return nsd(pair, [](const SurfaceComparison& surfaces, double tolerance_mm) {
               return mean_share(surfaces.voxel_edge_shares(tolerance_mm));
             });
           }}};
}

}  // namespace fiducial
