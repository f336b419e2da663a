#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Which segmenter's outputs become predictions for which dataset.
struct PackRequest {
  std::string from;  // id of a SegmenterLayout
  Path outputs;
  Path dataset;                      // findings: one file of channels a case; tables: a file a structure
  std::optional<Path> volumes;       // CTs; needed where outputs lost their place
  std::optional<Path> names;         // CSV: case, name, prompt
  std::optional<std::string> split;  // default: the one that scoring takes
  std::optional<double> threshold;   // of probabilities
  bool allow_missing = false;        // findings without a mask become empty, cases without any are left out
  Path output;                       // a folder; OUT.json beside it says how the masks were made
};

// What became of the outputs.
struct PackedOutputs {
  std::int64_t cases = 0;
  std::int64_t resumed = 0;  // of these: made by an earlier command that was stopped
  std::int64_t masks = 0;
  std::int64_t empty = 0;
  std::int64_t missing = 0;
  std::int64_t left_out = 0;  // files of structures that the anatomy does not know
  Json manifest;              // schema fiducial.packed/1
};

// Writes the predictions. Cases are made one by one in OUT.unfinished, which gets its name when all are
// there; a command that is stopped goes on with the next case, unless the outputs of a case changed
// meanwhile.
Result<PackedOutputs> pack_outputs(const PackRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial
