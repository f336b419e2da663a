#pragma once

#include <string>

#include "fiducial/eval/judge/judge_run.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

// Who judges when a model is asked in this way.
JudgeIdentity judge_identity(const Workflow& workflow, const AskedAs& asked);

}  // namespace fiducial
