#pragma once

#include "fiducial/export/submission_package.h"

#include "console.h"

namespace fiducial::cli {

// Says what was packed, or why nothing was; returns the exit status.
Result<int> say_packed(const PackedSubmission& packed, const SubmissionRequest& request, bool as_json,
                       Console& console);

}  // namespace fiducial::cli
