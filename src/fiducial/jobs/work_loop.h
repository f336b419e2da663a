#pragma once

#include <functional>
#include <optional>

#include "fiducial/base/log.h"
#include "fiducial/jobs/job_folder.h"

namespace fiducial {

// One worker's way through a job.
struct WorkRequest {
  std::optional<std::int64_t> unit;  // this one only, whoever else has it
  std::int64_t index = 0;            // of this worker among `workers`: where it begins, no more than a hint
  std::int64_t workers = 1;
  double patience_s = 180;   // a worker whose claim did not grow for so long is dead
  bool makes_copies = true;  // of units that others are slow with, once none is unclaimed
};

// What a verb does with a unit; the journal is its own. A stop that is heard ends it as interrupted.
using UnitWork = std::function<Result<UnitResult>(std::int64_t unit, const Path& journal)>;

struct WorkDone {
  std::int64_t units = 0;   // that this worker gave a result
  std::int64_t copies = 0;  // of them, while another one worked on them
};

// Works until every unit of the job has a result. Results that differ are an integrity error, and both stay.
// A unit that fails is left to others; the first such failure is returned once nothing is left to do. What
// the system refuses (a full disk) and a stop end the worker at once, and its unit is free again.
Result<WorkDone> work_on(const JobFolder& job, const JobPlan& plan, const WorkRequest& request,
                         const UnitWork& work, Log& log);

}  // namespace fiducial
