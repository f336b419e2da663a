#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The name under which its questions are asked.
inline constexpr const char* synthetic_reader = "synthetic-reader";

// Writes the journal of a run of the workflow "direct" over the test split, with replies that a rule makes of
// the keys: right in about seven of ten cases. No model is asked and none is behind it; it shows what
// --replay does. The same bytes for the same dataset.
Outcome write_synthetic_journal(const Path& dataset, const Path& journal, Progress& progress);

}  // namespace fiducial
