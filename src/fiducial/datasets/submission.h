#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fiducial/datasets/lint_finding.h"
#include "fiducial/datasets/mask_file.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

namespace submission_rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/submission_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace submission_rules

// What the file of one case must be like, as far as it is known.
struct ExpectedPrediction {
  std::string name;
  std::optional<ChannelShape> shape;
  std::optional<Grid> volume;  // where the CT says the voxels lie
};

// What came of checking one file; file is absent where there is none.
struct CheckedPrediction {
  std::optional<SubmittedFile> file;
  LintFindings findings;
};

// Checks the file of one case by the rules of a leaderboard. Holds no more than the file's runs.
CheckedPrediction check_prediction(const PredictionFiles& files, const ExpectedPrediction& expected);

// One finding for every file that belongs to none of the names.
LintFindings check_extra_files(const PredictionFiles& files, const std::set<std::string>& names);

// Whether the stored bytes start as gzip does; false where they cannot be read.
bool starts_as_gzip(Result<StoredFile> file);

}  // namespace fiducial
