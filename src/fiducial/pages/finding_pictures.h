#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/drawing/slice_picture.h"
#include "fiducial/pages/page_input.h"

namespace fiducial {

// A finding that is shown, with its sentence and its picture.
struct ShownFinding {
  const ReportFinding* finding = nullptr;
  std::string sentence;                 // empty where the dataset lists none
  std::optional<SlicePicture> picture;  // nothing where the masks could not be read again
  std::string remark;                   // what is missing from the picture, and why
};

// The findings with the lowest and the highest Dice among scored predictions; equal ones by name. A finding
// is on one list only, worst first.
struct Extremes {
  std::vector<const ReportFinding*> worst;
  std::vector<const ReportFinding*> best;
};
Extremes extremes_of(const std::vector<ReportFinding>& findings, std::size_t worst, std::size_t best);

// Reads the masks and slices of the chosen findings, every case once. What cannot be read is told in the
// remarks, never an error: scores do not depend on pictures.
std::vector<ShownFinding> shown_findings(const std::vector<const ReportFinding*>& chosen,
                                         const PictureSource& source, const Executor& executor);

}  // namespace fiducial
