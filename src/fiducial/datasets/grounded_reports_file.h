#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/sha256.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

inline constexpr const char* grounded_reports_file = "grounded_reports.jsonl";

// A sentence and where it looks.
struct GroundedSentence {
  std::string text;
  std::optional<std::int64_t> channel;  // of the mask file of its case
  std::vector<std::string> regions;     // paths, last names of paths, or regions
};

// Reports by case, as docs/formats/grounded_reports.md says.
struct GroundedReports {
  Digest digest;
  std::map<std::string, std::vector<GroundedSentence>> by_case;  // names end in .nii.gz
};

// Refuses, with the line: what is no such object, and a case that occurs twice.
Result<GroundedReports> read_grounded_reports(StoredFile file);

}  // namespace fiducial
