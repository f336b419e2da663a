#pragma once

#include "fiducial/eval/task/task.h"

namespace fiducial {

// Diagnosis from several images: answers to questions with five options, reasoning steps, discussions.
Task diagnosis_task();

}  // namespace fiducial
