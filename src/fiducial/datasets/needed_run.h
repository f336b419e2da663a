#pragma once

#include <optional>
#include <set>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"

namespace fiducial {

// What a run takes of a dataset.
struct NeededRun {
  std::optional<std::string> split;            // where the run says it
  std::optional<std::set<std::string>> cases;  // names or titles; all where it does not say them
  std::optional<AnswerPredictions> answers;    // in their place, of questions
  bool needs_volumes = true;

  bool needs_case(const std::string& name) const { return !cases || cases->contains(name); }
};

// Reads it from a score folder, or from predictions as the dataset's tasks take them: masks, grounded reports
// and tables in a folder or flat zip, a table by itself, answers in any of their forms, a model's run.
Result<NeededRun> read_needed_run(const Path& run, const DatasetAdapter& dataset);

}  // namespace fiducial
