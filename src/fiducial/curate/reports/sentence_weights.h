#pragma once

#include <vector>

#include "fiducial/cases/grounded_case.h"

namespace fiducial {

// How strongly rare categories and small findings are preferred: 0 not at all, 1 so that every category, and
// every finding whatever its size, contributes as many sentences, or voxels, as any other.
struct SentenceWeightRule {
  double category_power = 0.5;
  double size_power = 0.25;
};

// The weight of each finding's sentence, in order: 1 / (findings of its category ^ category_power *
// voxels ^ size_power), scaled to a mean of 1. Findings of no known size, or without a voxel, count as one of
// median size. Findings without a category of the ontology are one category.
std::vector<double> sentence_weights(const std::vector<const Finding*>& findings,
                                     const SentenceWeightRule& rule);

}  // namespace fiducial
