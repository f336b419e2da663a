#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/eval/grounded_report.h"
#include "fiducial/eval/table_score.h"

namespace fiducial {

// What a case is held against.
struct ReferenceReport {
  std::string name;
  std::string patient;
  std::vector<GroundedSentence> sentences;
};

// The references of a benchmark, and the files they come from.
struct ReferenceReports {
  std::string benchmark;
  std::string split;
  std::string dataset_file;
  std::vector<HashedFile> files;
  std::vector<ReferenceReport> reports;  // by name
  std::unique_ptr<GroundedDataset> dataset;
  std::vector<GroundedCase> cases;  // beside reports, where there are masks
};

// The findings of ReXGroundingCT with their masks, or the sentences of RadGenome-Chest CT's region reports.
Result<ReferenceReports> read_references(const TableScoreRequest& request);

}  // namespace fiducial
