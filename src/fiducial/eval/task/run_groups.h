#pragma once

#include "fiducial/datasets/volume_metadata.h"
#include "fiducial/eval/task/task_call.h"

namespace fiducial {

// Groups of a run as --group-by asks for them: of its own kinds those that are named, or all where none is,
// and a kind for each column of the metadata that is named.
//
// The plan records how columns became groups, and the hash of the table.
Outcome group_run(const TaskCall& call, ScoreRun& run);

// The metadata that a call means: the file it names, or the only one there is. Several are bad usage, none
// is invalid data. Refuses a table in which a case has two rows.
Result<VolumeMetadata> read_metadata(const TaskCall& call);

}  // namespace fiducial
