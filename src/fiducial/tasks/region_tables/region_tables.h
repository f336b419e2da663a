#pragma once

#include "fiducial/datasets/prediction_files.h"
#include "fiducial/eval/task/task.h"

namespace fiducial {

// Region-grounded reports and questions about volumes: presence, abnormality, location, size, disorders;
// organ masks beside them.
//
// Of a row 16 bytes are in memory and each word of a question once; answers and the texts of regions are on
// disk while they are scored.
Task region_tables_task();

// Whether predictions hold a file of answers to any table.
bool has_table_answers(const PredictionFiles& files);

}  // namespace fiducial
