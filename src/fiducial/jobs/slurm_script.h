#pragma once

#include <string>

#include "fiducial/base/file.h"
#include "fiducial/jobs/job_plan.h"

namespace fiducial {

inline constexpr const char* slurm_script_file = "work.sbatch";

// A script for sbatch: an array of workers, each of which takes units until none is left. A worker that is
// told to end goes back into the queue; one whose node dies is put there by Slurm.
std::string slurm_script(const JobPlan& plan, const Path& job, const Path& program, std::int64_t workers);

// Numbers as sbatch --array takes them: "0-3,7".
std::string number_ranges(const std::vector<std::int64_t>& ascending);

}  // namespace fiducial
