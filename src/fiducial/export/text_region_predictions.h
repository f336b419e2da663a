#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Which findings to segment from their sentences, and where to write the masks.
struct TextRegionRequest {
  Path dataset;
  Path volumes;                      // CTs
  std::optional<Path> masks;         // organ masks; without them the lungs are segmented by rules
  std::optional<std::string> split;  // default: the benchmark's test split
  Path output;                       // a folder; OUT.json beside it says how the masks were made
};

// What the anatomy came from, and what became of the findings.
struct TextRegionCounts {
  std::int64_t cases = 0;
  std::int64_t findings = 0;
  std::int64_t empty = 0;
  std::int64_t segmented = 0;  // cases whose anatomy is our own segmentation

  Json json() const;  // schema fiducial.predictions/1
};

// Writes the predictions of the baseline that has no trained model: the place a sentence names, and the
// attenuation of its finding. The folder appears whole or not at all; a signal stops it.
Result<TextRegionCounts> predict_text_regions(const TextRegionRequest& request, Progress& progress);

}  // namespace fiducial
