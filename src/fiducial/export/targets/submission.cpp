#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/export/export_target.h"
#include "fiducial/export/submission_package.h"

namespace fiducial {

namespace {

Result<ExportOutcome> export_submission(const ExportCall& call) {
  const SubmissionRequest request{.dataset = call.request.dataset,
                                  .predictions = *call.request.predictions,
                                  .output = call.request.output,
                                  .split = call.request.split,
                                  .overwrite = call.request.overwrite};
  FIDUCIAL_TRY(PackedSubmission packed, pack_submission(request, call.executor, call.progress));
  return submission_outcome(std::move(packed), request.output);
}

}  // namespace

ExportOutcome submission_outcome(PackedSubmission packed, const Path& output) {
  ExportOutcome out;
  if (packed.manifest) {
    const Json& archive = *packed.manifest->find("archive");
    out.told = output.string() + ": " + decimal(packed.report.submission->files.size()) + " files, " +
               decimal(integer_at(archive, "bytes")) + " bytes, sha256 " + text_at(archive, "sha256");
    out.manifest = *std::move(packed.manifest);
  }
  out.report = std::move(packed.report);
  return out;
}

ExportTarget submission_target() {
  return {.id = "submission",
          .title = "what a leaderboard takes, checked and packed",
          .writes = "a zip or, for answers, JSONL; OUT.manifest.json is written beside it",
          .predictions = ExportTarget::Need::required,
          .run = export_submission};
}

}  // namespace fiducial
