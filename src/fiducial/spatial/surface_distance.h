#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fiducial/spatial/surfels.h"

namespace fiducial {

// Distances in mm from every element of one surface to the nearest of the other, and what each element
// weighs.
struct DirectedDistances {
  std::vector<double> distance_mm;
  std::vector<double> area_mm2;  // empty: every element weighs 1
};

// Mean distance, weighted by area. Sums are pairwise as NumPy's are. Needs an element.
double mean_distance_mm(const DirectedDistances& directed);

// The first distance, in order of (distance, area), at which the share of the area reaches percent / 100; no
// interpolation. The rule of surface-distance's robust Hausdorff distance. Needs an element with an area.
double area_percentile_mm(const DirectedDistances& directed, double percent);

// NumPy's default percentile: linear between neighbours in order. Needs a value.
double linear_percentile(std::vector<double> values, double percent);

// How much of a surface lies within a tolerance of the other.
struct SurfaceShare {
  double within = 0;
  double all = 0;
};

// The surfaces of a reference and a predicted mask. What several metrics need is computed once, on demand;
// one thread at a time.
//
// Work is done in the box that holds both masks. Asking for distances needs both masks to have voxels.
class SurfaceComparison {
 public:
  // The masks must have the same extent, and spacings be above 0.
  SurfaceComparison(const Mask& reference, const Mask& prediction, const Vec3& spacing_mm);

  bool reference_empty() const { return reference_empty_; }
  bool prediction_empty() const { return prediction_empty_; }

  // Both directions, reference first.
  struct Directions {
    DirectedDistances from_reference;
    DirectedDistances from_prediction;
  };
  const Directions& surfel_distances() const;      // areas of grid corners
  const Directions& voxel_edge_distances() const;  // voxels with a neighbour outside, each counting 1

  struct Shares {
    SurfaceShare reference;
    SurfaceShare prediction;
  };
  Shares surfel_shares(double tolerance_mm) const;
  Shares voxel_edge_shares(double tolerance_mm) const;

 private:
  struct SurfelPair {
    Surfels reference;
    Surfels prediction;
  };
  struct EdgePair {
    PointLattice reference;
    PointLattice prediction;
  };
  const SurfelPair& surfel_pair() const;
  const EdgePair& edge_pair() const;

  Vec3 spacing_mm_;
  bool reference_empty_;
  bool prediction_empty_;
  PointLattice reference_;
  PointLattice prediction_;
  mutable std::optional<SurfelPair> surfels_;
  mutable std::optional<EdgePair> edges_;
  mutable std::optional<Directions> surfel_distances_;
  mutable std::optional<Directions> edge_distances_;
};

}  // namespace fiducial
