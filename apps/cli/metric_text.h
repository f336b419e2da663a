#pragma once

#include "command.h"

namespace fiducial::cli {

// "metric text": every text metric for two files of one text a line.
CommandBody define_metric_text(Verb subcommand);

}  // namespace fiducial::cli
