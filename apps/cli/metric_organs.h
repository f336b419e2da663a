#pragma once

#include "command.h"

namespace fiducial::cli {

// `fiducial metric organs`.
CommandBody define_metric_organs(Verb verb);

}  // namespace fiducial::cli
