#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

// One number of a finding, or why there is none.
struct ReportScore {
  std::string metric;  // id of the contract
  std::string title;
  std::string unit;
  bool official = false;
  std::optional<double> value;
  std::string reason;
};

// A finding as the report tells of it.
struct ReportFinding {
  std::string case_name;
  std::int64_t index = 0;
  std::string category;
  std::int64_t reference_voxels = 0;
  bool scored = true;          // false: the prediction is missing or failed
  std::optional<double> dice;  // by the rules of the summary's "metrics"
  std::vector<ReportScore> scores;
  std::vector<std::pair<std::string, std::string>> groups;  // kind and label, as in the summary
};

// What a report is made of. Nothing in it depends on time, machine or where folders lie.
struct ReportInput {
  Json summary;                         // docs/formats/summary.md
  std::vector<ReportFinding> findings;  // by case and index; empty in a private report
  std::vector<std::string> command;     // what makes the same scores again, word by word
  bool is_private = false;              // nothing about single cases
};

// Where the pictures of a report come from.
struct PictureSource {
  const GroundedDataset& dataset;
  std::string split;
  const PredictionFiles& predictions;
  std::optional<Path> volumes;
};

}  // namespace fiducial
