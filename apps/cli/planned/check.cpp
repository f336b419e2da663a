#include <memory>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/check_dataset.h"

#include "check_arguments.h"
#include "check_job.h"
#include "planned_verb.h"

namespace fiducial::cli {

namespace {

CheckWith check_with(const CheckArguments& arguments, const Executor& executor) {
  return [arguments, &executor](const std::shared_ptr<CaseChecks>& checks) -> Result<LintReport> {
    LintRequest request = arguments.request();
    request.checks = checks;
    SilentProgress progress;
    return check_dataset(request, executor, progress);
  };
}

Result<PlannedRequest> resolve_check(const CheckArguments& asked) {
  const CheckArguments arguments = asked.absolute();
  const Executor executor(0);
  FIDUCIAL_TRY(std::vector<CaseInput> cases,
               cases_to_check(check_with(arguments, executor), arguments.inputs()));
  return PlannedRequest{.request = arguments.json(), .inputs = arguments.inputs(), .cases = std::move(cases)};
}

Result<PlannedWork> open_check(const OpenJob& job) {
  FIDUCIAL_TRY(const CheckArguments arguments, CheckArguments::parse(job.plan.request));
  return check_work(job, check_with(arguments, job.executor), arguments.inputs());
}

// The report goes to a file, as 'fiducial check --json' prints it.
Result<int> merge_check(const OpenJob& job, const MergeRequest& request) {
  FIDUCIAL_TRY(const CheckArguments arguments, CheckArguments::parse(job.plan.request));
  if (!request.overwrite && is_there(request.output))
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = request.output});
  FIDUCIAL_TRY(const FoundByUnits found, found_by_units(job));
  LintRequest asked = arguments.request();
  asked.checks = found.checks;
  FIDUCIAL_TRY(const LintReport report, found.report ? Result<LintReport>(*found.report)
                                                     : check_dataset(asked, job.executor, job.console));
  const std::string text = report.json().pretty();
  FIDUCIAL_TRY_DONE(write_file(request.output, std::string_view(text)));
  if (request.json) {
    job.console.print(text);
  } else {
    job.console.show(lint_table(report));
  }
  job.console.note("wrote " + request.output);
  return report.has_errors() ? exit_status(ErrorCode::invalid_data) : 0;
}

}  // namespace

PlannedVerb planned_check() {
  return {.name = "check",
          .summary = "Validate a dataset and a submission, case by case",
          .example = "fiducial plan check rexgroundingct/ --volumes ct-rate/ --units 1000 -o JOB",
          .define = [](Verb verb) -> std::function<Result<PlannedRequest>()> {
            auto arguments = std::make_shared<CheckArguments>();
            arguments->declare(verb);
            return [arguments] { return resolve_check(*arguments); };
          },
          .open = open_check,
          .merge = merge_check};
}

}  // namespace fiducial::cli
