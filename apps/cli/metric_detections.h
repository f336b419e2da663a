#pragma once

#include "command.h"

namespace fiducial::cli {

// `fiducial metric detections`.
CommandBody define_metric_detections(Verb verb);

}  // namespace fiducial::cli
