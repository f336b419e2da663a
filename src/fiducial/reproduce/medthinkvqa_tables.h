#pragma once

#include <vector>

#include "fiducial/reproduce/model_facts.h"
#include "fiducial/reproduce/model_runs.h"
#include "fiducial/reproduce/result_table.h"

namespace fiducial {

// The tables and figures of the MedThinkVQA paper, from scored runs of models: main results, share of images,
// effort, cues, size, errors by kind, open and closed weights. A cell without a run says what to run for it.
std::vector<ResultTable> medthinkvqa_tables(const std::vector<ModelRun>& runs, const ModelFactsTable& facts);

}  // namespace fiducial
