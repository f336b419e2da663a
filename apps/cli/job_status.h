#pragma once

#include <string>

#include "fiducial/base/file.h"

#include "console.h"

namespace fiducial::cli {

// What 'fiducial status' says of a job: how many units are done, or which are not.
struct JobStatusRequest {
  Path job;
  bool missing = false;
  std::string format = "lines";  // of the missing ones: lines, slurm or json
  bool json = false;
};
Result<int> show_job_status(const JobStatusRequest& request, Console& console);

}  // namespace fiducial::cli
