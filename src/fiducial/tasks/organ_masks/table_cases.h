#pragma once

#include <vector>

#include "fiducial/eval/task/task_call.h"

namespace fiducial {

// The volumes that the tables of the call's split ask about, with their organ masks where these lie unpacked.
Result<std::vector<TaskCase>> cases_of_tables(const TaskCall& call);

}  // namespace fiducial
