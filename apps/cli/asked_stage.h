#pragma once

#include "command.h"
#include "run_arguments.h"

namespace fiducial::cli {

// `fiducial run TABLE --workflow curate:STAGE`: runs a stage of curation, asks the model what it wants to
// know, and runs it again, until it is finished. The folder of the run holds the journal and, under the
// stage's name, what the stage writes.
Result<int> run_asked_stage(RunRequest request, const RunArguments& arguments, Console& console);

// The stages that take replies of a model, as --workflow names them.
std::vector<std::string> stage_workflows();
bool is_stage_workflow(const std::string& workflow);

}  // namespace fiducial::cli
