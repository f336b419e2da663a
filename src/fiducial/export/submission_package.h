#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/export/export_target.h"

namespace fiducial {

// What to pack: the predictions for one split of a dataset, from a folder, a zip archive or a file.
struct SubmissionRequest {
  Path dataset;
  Path predictions;
  Path output;                       // the archive; its manifest is written beside it
  std::optional<std::string> split;  // default: test, else val
  bool overwrite = false;
  std::shared_ptr<CaseChecks> checks;  // where predictions are checked in parts: a part packs nothing
  std::optional<LintReport> checked;   // what a part found that checked all at once
};

// What came of it. Without a manifest nothing was written, and the report says why.
struct PackedSubmission {
  LintReport report;
  std::optional<Json> manifest;  // schema fiducial.submission/1
};

// OUT.zip.manifest.json for OUT.zip.
Path manifest_path(const Path& archive);

// Checks the predictions by the rules of `fiducial check` and, where no error was found, writes what a
// leaderboard takes: of masks, tables and grounded reports a flat archive, one stored entry a file, by name;
// of answers to questions a JSONL file with every published field. The bytes depend on the files alone.
//
// Masks of the dataset are no part of a submission, so what is wrong with them, or that they are withheld,
// refuses nothing. A file that changed between check and packing is an integrity error. Archive and manifest
// appear by rename, the archive last: where it is, its manifest is too.
Result<PackedSubmission> pack_submission(const SubmissionRequest& request, const Executor& executor,
                                         Progress& progress);

// The same in the words of an export target.
ExportOutcome submission_outcome(PackedSubmission packed, const Path& output);

}  // namespace fiducial
