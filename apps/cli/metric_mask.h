#pragma once

#include "command.h"

namespace fiducial::cli {

// "metric mask": every mask metric for two files.
CommandBody define_metric_mask(Verb subcommand);

}  // namespace fiducial::cli
