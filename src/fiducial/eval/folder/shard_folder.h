#pragma once

#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/eval/outputs/write_scores.h"
#include "fiducial/eval/task/task.h"

namespace fiducial {

// Writes a part of a run, which is not concluded, as a folder.
Outcome write_shard(const ScoreRun& part, const Shard& shard, const ScoreOutput& output);

// Puts the parts of one run together, in any order, and concludes it: the same record as of a run that was
// never split. Refuses parts of other runs, parts that occur twice, changed ones and, as unfinished, a set
// that is not whole.
Result<ScoreRun> merge_shards(const std::vector<Path>& folders,
                              Result<const Task*> (*find_task)(std::string_view id));

}  // namespace fiducial
