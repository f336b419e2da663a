#pragma once

#include "fiducial/eval/task/task.h"

namespace fiducial {

// Reports whose sentences say where they look: facts that are found, and found in their place.
Task grounded_reports_task();

}  // namespace fiducial
