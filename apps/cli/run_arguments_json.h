#pragma once

#include "fiducial/base/json.h"

#include "run_arguments.h"

namespace fiducial::cli {

// What was asked for, as the plan of a job keeps it: with paths that lead there from anywhere. Keys are no
// part of it, only where they are found.
Json run_arguments_json(RunArguments arguments);
Result<RunArguments> parse_run_arguments(const Json& value);

}  // namespace fiducial::cli
