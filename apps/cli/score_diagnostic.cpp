#include "score_diagnostic.h"

#include "fiducial/base/number_text.h"
#include "fiducial/report/scorecard.h"

#include "failure_budget.h"

namespace fiducial::cli {

Result<int> score_diagnostic(const DiagnosticScoreRequest& request, const std::string& max_failures,
                             bool json, Console& console) {
  FIDUCIAL_TRY_DONE(allowed_failures(max_failures, 0));
  FIDUCIAL_TRY(const DiagnosticRun run, score_diagnostic_run(request));
  FIDUCIAL_TRY(const Json summary, write_scores(run, request.output, request.overwrite));
  for (const DiagnosticScore& each : run.cases) {
    if (each.is_missing) {
      console.warn("missing: " + each.entry.title);
    } else if (!each.answer(run.primary()).letter) {
      console.warn("no answer found: " + each.entry.title);
    }
    if (!each.steps_remark.empty()) console.warn(each.entry.title + ": " + each.steps_remark);
  }
  for (const std::string& title : run.unknown) console.warn("belongs to no case of the split: " + title);
  console.print(json ? summary.pretty() : scorecard(summary));
  FIDUCIAL_TRY(const std::int64_t allowed, allowed_failures(max_failures, run.cases.size()));
  const std::int64_t failures = run.missing() + run.invalid(run.primary());
  if (failures <= allowed) return 0;
  console.warn(decimal(failures) + " of " + decimal(run.cases.size()) +
               " answers missing or invalid; --max-failures allows " + decimal(allowed));
  return exit_status(ErrorCode::too_many_failures);
}

}  // namespace fiducial::cli
