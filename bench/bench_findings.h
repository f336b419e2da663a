#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/image/label_map.h"

namespace fiducial::bench {

// A synthetic finding: what an annotator would have drawn, and what a fair model would have.
struct BenchFinding {
  std::string text;
  std::string category;
  LabelMap reference;   // one label an entity
  LabelMap prediction;  // label 1
};

// The eight findings of the benchmark case, in two lung-sized ellipsoids on 512 x 512 x 300 voxels of
// 0.75 x 0.75 x 1.12 mm. The same voxels for a seed on every machine.
std::vector<BenchFinding> make_bench_findings(std::uint64_t seed);

}  // namespace fiducial::bench
