#pragma once

#include <functional>
#include <string>

#include "fiducial/datasets/diagnosis_dataset.h"

namespace fiducial::medthinkvqa {

// A picture of a case: its bytes, or why there are none.
struct CasePicture {
  std::int64_t number = 0;  // of the case
  std::size_t index = 0;    // among the case's images, from 0
  std::string bytes;
  std::string problem;
};

// Calls visit for every picture of the cases that are wanted, wherever the release keeps them: files below
// images/, members of images.zip, or bytes embedded in the rows of a table. One is in memory at a time.
using PictureVisitor = std::function<Outcome(CasePicture)>;
Outcome visit_pictures(const Path& folder, const DiagnosisSplit& split,
                       const std::function<bool(std::int64_t number)>& wanted, const PictureVisitor& visit);

}  // namespace fiducial::medthinkvqa
