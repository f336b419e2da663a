#pragma once

#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/eval/outputs.h"
#include "fiducial/eval/shard.h"

namespace fiducial {

// Writes a part of a run to a folder: shard.json with the plan, cases.jsonl with the scored cases.
Outcome write_shard(const ScoredRun& part, const Shard& shard, const Path& output, bool overwrite);

// Puts the parts of one run together, in any order. The run is the same as if it had never been split.
// Refuses parts of different plans or datasets, a part twice, a part missing, and parts whose cases are not
// their own.
Result<ScoredRun> merge_shards(const std::vector<Path>& folders);

}  // namespace fiducial
