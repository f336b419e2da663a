#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/drawing/slice_picture.h"
#include "fiducial/pages/run_page.h"

namespace fiducial {

// Where the pictures of findings come from.
struct PictureSource {
  const ScoreRun& run;
  const GroundedDataset& dataset;
  const PredictionFiles& predictions;
  std::optional<Path> volumes;
};

// A finding that is shown, with its sentence and its picture.
struct ShownFinding {
  std::size_t unit = 0;                 // of the run
  std::string sentence;                 // empty where the dataset lists none
  std::optional<SlicePicture> picture;  // nothing where the masks could not be read again
  std::string remark;                   // what is missing from the picture, and why
};

// The findings with the lowest and the highest value among scored predictions; equal ones by name. A finding
// is on one list only, worst first.
struct Extremes {
  std::vector<std::size_t> worst;  // units
  std::vector<std::size_t> best;
};
Extremes extremes_of(const ScoreRun& run, const ScoreColumn& column, std::size_t worst, std::size_t best);

// The case of a dataset by its name; nullptr where it has none.
const GroundedCase* find_case(const PictureSource& source, const std::string& name);

// Reads the masks and slices of the chosen units, every case once. What cannot be read is told in the
// remarks, never an error: scores do not depend on pictures.
std::vector<ShownFinding> shown_findings(const std::vector<std::size_t>& chosen, const PictureSource& source,
                                         const Executor& executor);

}  // namespace fiducial
