#pragma once

#include <cstdint>

#include "fiducial/base/progress.h"
#include "fiducial/server/library.h"

namespace fiducial {

// A folder with the pages of what is served, for any web server of plain files.
struct SiteCopyRequest {
  Path folder;
  bool overwrite = false;  // replaces an earlier copy
  bool volumes = false;    // with the voxels of the CTs
};

struct SiteCopyReport {
  std::int64_t files = 0;
  std::uint64_t bytes = 0;
  std::int64_t cases = 0;
  std::int64_t comparisons_left_out = 0;  // of runs that are too many to compare each with each
};

// Refused where the terms of a dataset forbid that its cases leave this machine (datasets/dataset_terms.h),
// and where the program has no pages. The folder appears whole or not at all.
Result<SiteCopyReport> write_site_copy(Library& library, const SiteCopyRequest& request, Progress& progress);

}  // namespace fiducial
