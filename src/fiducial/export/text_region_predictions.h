#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

  TextRegionCounts& operator+=(const TextRegionCounts& other);
  Json json() const;  // schema fiducial.predictions/1
  static Result<TextRegionCounts> parse(const Json& value);
};

// A case whose masks are predicted from the sentences about it and from its CT.
struct TextRegionCase {
  std::string name;
  Path volume;
};
// The cases of a request, in the order of the dataset.
Result<std::vector<TextRegionCase>> text_region_cases(const TextRegionRequest& request);

// Predicts the named cases; the masks go into the request's output, a folder that is there.
Result<TextRegionCounts> predict_text_region_cases(const TextRegionRequest& request,
                                                   const std::set<std::string>& names);

// Writes the predictions of the baseline that has no trained model: the place a sentence names, and the
// attenuation of its finding. The folder appears whole or not at all; a signal stops it.
Result<TextRegionCounts> predict_text_regions(const TextRegionRequest& request, Progress& progress);

}  // namespace fiducial
