#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/curate/reports/review_sheet.h"

namespace fiducial {

// Reports with what the stages of `ctrate` made of them, to be judged by readers.
class ReviewFolder {
 public:
  // An output of curate ctrate, or its stages/.
  static Result<ReviewFolder> open(const Path& folder);

  const std::vector<std::string>& names() const { return names_; }
  // The reports of these names, in this order; one that the folder lacks has no text and no items.
  Result<std::vector<SheetReport>> read(const std::vector<std::string>& names) const;

 private:
  Path folder_;
  Path sentences_;
  std::vector<std::string> names_;  // of all reports, in the order of the folder
};

}  // namespace fiducial
