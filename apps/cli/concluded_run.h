#pragma once

#include "fiducial/workflows/ask_run.h"

#include "console.h"
#include "run_arguments.h"

namespace fiducial::cli {

// Questions that may stay without a reply.
Result<std::int64_t> failures_allowed(const RunArguments& arguments, const PreparedRun& run);

// Says what became of a run, and what is typed next; returns the exit status.
Result<int> conclude_run(const PreparedRun& prepared, const RunArguments& arguments, const AskedRun& asked,
                         Console& console);

}  // namespace fiducial::cli
