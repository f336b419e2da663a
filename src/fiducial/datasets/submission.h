#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/masks/mask_file.h"
#include "fiducial/masks/mask_reader.h"

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
  std::optional<Grid> volume;             // where the CT says the voxels lie
  std::span<const LabelMap> reference{};  // channel by channel, where it is public; else none
};

// What came of checking one file; file is absent where there is none.
struct CheckedPrediction {
  std::optional<SubmittedFile> file;
  LintProblems problems;
};

// What was handed in; a refused archive is a problem, one that is not there an error.
// `beside` is a folder that may stand beside its files.
Result<std::optional<PredictionFiles>> open_submission(const Path& path, LintProblems& out,
                                                       const std::string& beside = "");

// Checks the file of one case by the rules of a leaderboard. Holds no more than the file's runs. A prediction
// that fits its reference badly is tried with its axes turned and with its findings in other orders.
CheckedPrediction check_prediction(const PredictionFiles& files, const ExpectedPrediction& expected);

// One problem for every file that does not belong to the split. splits names the split of every case of the
// dataset. A folder may hold the files of other splits too, with a warning; an archive is handed in as it is.
LintProblems check_extra_files(const PredictionFiles& files, const std::map<std::string, std::string>& splits,
                               const std::string& split);

// What a file of masks says before its voxels.
struct StoredMaskHead {
  MaskHead head;
  bool is_gzip = false;
};

Result<StoredMaskHead> read_stored_head(StoredFile file);

}  // namespace fiducial
