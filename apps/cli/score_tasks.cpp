#include "score_tasks.h"

#include "fiducial/base/number_text.h"
#include "fiducial/pages/task_report.h"
#include "fiducial/report/scorecard.h"

#include "failure_budget.h"

namespace fiducial::cli {

Result<int> score_tasks_and_tell(const TableScoreRequest& request, const AnswerOutput& output,
                                 Console& console) {
  FIDUCIAL_TRY_DONE(allowed_failures(output.max_failures, 0));
  const Executor executor(output.threads);
  FIDUCIAL_TRY(const TaskRun run, score_tasks(request, executor));
  ScoreOutput files = output.output;
  if (output.has_report) files = with_task_report(std::move(files), run, request);
  FIDUCIAL_TRY(const Json summary, write_scores(run, files, executor));
  if (!output.output.is_private) {
    for (const TaskRemark& each : run.remarks) console.warn(each.about + ": " + each.text);
  }
  console.print(output.json ? summary.pretty() : scorecard(summary));
  FIDUCIAL_TRY(const std::int64_t allowed,
               allowed_failures(output.max_failures, static_cast<std::size_t>(run.questions)));
  if (run.failures <= allowed) return 0;
  console.warn(decimal(run.failures) + " of " + decimal(run.questions) +
               " answers missing; --max-failures allows " + decimal(allowed));
  return exit_status(ErrorCode::too_many_failures);
}

}  // namespace fiducial::cli
