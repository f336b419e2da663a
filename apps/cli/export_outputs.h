#pragma once

#include "fiducial/export/export_target.h"

#include "console.h"

namespace fiducial::cli {

// Says what was exported, or why nothing was; returns the exit status. read is what a report is about.
Result<int> say_exported(const ExportOutcome& outcome, const Path& read, bool as_json, Console& console);

}  // namespace fiducial::cli
