#include "fiducial/pages/task_report.h"

#include "fiducial/base/number_text.h"
#include "fiducial/report/task_page.h"

namespace fiducial {

namespace {

// What makes the same scores again, with names in the place of this machine's folders.
std::vector<std::string> tasks_command(const TaskRun& run, const TableScoreRequest& request,
                                       bool is_private) {
  std::vector<std::string> out{"fiducial",           "score", run.benchmark + "/",
                               run.predictions_file, "-o",    "scores/"};
  const auto add = [&out](const char* option, const std::string& value) {
    out.insert(out.end(), {option, value});
  };
  if (!run.task.empty()) add("--task", run.task);
  add("--split", run.split);
  add("--system", run.system);
  add("--seed", decimal(run.seed));
  add("--resamples", decimal(run.resamples));
  std::string metrics;
  for (const std::string& each : run.metrics) metrics += (metrics.empty() ? "" : ",") + each;
  if (!metrics.empty()) add("--metrics", metrics);
  if (request.volumes) add("--volumes", request.volumes->filename().string());
  if (request.spacing_mm) {
    const Vec3& mm = *request.spacing_mm;
    add("--spacing", shortest(mm[0]) + "," + shortest(mm[1]) + "," + shortest(mm[2]));
  }
  if (run.task.empty()) add("--tolerance-mm", shortest(request.tolerance_mm));
  if (is_private) out.emplace_back("--private");
  return out;
}

}  // namespace

ScoreOutput with_task_report(ScoreOutput output, const TaskRun& run, const TableScoreRequest& request) {
  const bool is_private = output.is_private;
  output.more = [&run, &request, is_private](const Json& summary) -> Result<std::vector<NamedText>> {
    const TaskPageInput input{
        .summary = summary, .command = tasks_command(run, request, is_private), .is_private = is_private};
    return std::vector<NamedText>{{"report.html", task_page(input)}};
  };
  return output;
}

}  // namespace fiducial
