#pragma once

#include "fiducial/eval/task/task.h"

namespace fiducial {

// Control prompts: whether a model listens to the words, and how often it answers where nothing is.
Task controls_task();

}  // namespace fiducial
