#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/eval/task/task_call.h"
#include "fiducial/tasks/grounded_reports/grounded_report.h"

namespace fiducial {

// What a case is held against.
struct ReferenceReport {
  std::string name;
  std::string patient;
  std::int64_t position = 0;  // among all cases of the split
  std::vector<GroundedSentence> sentences;
  std::string text;  // the sentences as they follow each other in the dataset
};

// The references of a benchmark, and the files they come from.
struct ReferenceReports {
  std::string benchmark;
  std::string split;
  std::string dataset_file;
  std::vector<HashedFile> files;
  std::vector<ReferenceReport> reports;  // by name
  std::vector<std::string> corpus;       // the texts of all cases that are asked for, whatever the shard
  std::set<std::string> known;
  std::unique_ptr<GroundedDataset> dataset;
  std::vector<GroundedCase> cases;  // beside reports, where there are masks
};

// The findings of ReXGroundingCT with their masks, or the sentences of RadGenome-Chest CT's region reports;
// of the cases that the call holds. `known` are all cases of the split.
Result<ReferenceReports> read_references(const TaskCall& call);

}  // namespace fiducial
