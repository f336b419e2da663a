#pragma once

#include "command.h"

namespace fiducial::cli {

// "metric mask": every mask metric for two files.
CommandBody define_metric_mask(CLI::App& subcommand);

}  // namespace fiducial::cli
