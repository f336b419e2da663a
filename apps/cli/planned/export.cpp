#include <memory>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/export/submission_package.h"

#include "check_job.h"
#include "export_outputs.h"
#include "planned_verb.h"

namespace fiducial::cli {

namespace {

struct ExportJob {
  std::string format = "submission";
  std::string dataset;
  std::string predictions;
  std::string split;

  std::vector<JobInput> inputs() const { return {{"dataset", dataset}, {"predictions", predictions}}; }
  SubmissionRequest request() const {
    SubmissionRequest out{.dataset = dataset, .predictions = predictions};
    if (!split.empty()) out.split = split;
    return out;
  }
};

CheckWith submission_check(const ExportJob& asked, const Executor& executor) {
  return [asked, &executor](const std::shared_ptr<CaseChecks>& checks) -> Result<LintReport> {
    SubmissionRequest request = asked.request();
    request.checks = checks;
    SilentProgress progress;
    FIDUCIAL_TRY(PackedSubmission packed, pack_submission(request, executor, progress));
    return std::move(packed.report);
  };
}

Result<PlannedRequest> resolve_export(ExportJob asked) {
  asked.dataset = absolute_text(asked.dataset);
  asked.predictions = absolute_text(asked.predictions);
  const Executor executor(0);
  FIDUCIAL_TRY(std::vector<CaseInput> cases,
               cases_to_check(submission_check(asked, executor), asked.inputs()));
  return PlannedRequest{
      .request = Json::object(
          {{"dataset", asked.dataset}, {"predictions", asked.predictions}, {"split", asked.split}}),
      .inputs = asked.inputs(),
      .cases = std::move(cases)};
}

Result<ExportJob> parse_export(const Json& request) {
  ExportJob out;
  FIDUCIAL_TRY(out.dataset, required_string(request, "dataset", "/request"));
  FIDUCIAL_TRY(out.predictions, required_string(request, "predictions", "/request"));
  out.split = text_at(request, "split");
  return out;
}

Result<PlannedWork> open_export(const OpenJob& job) {
  FIDUCIAL_TRY(const ExportJob asked, parse_export(job.plan.request));
  return check_work(job, submission_check(asked, job.executor), asked.inputs());
}

Result<int> merge_export(const OpenJob& job, const MergeRequest& request) {
  FIDUCIAL_TRY(const ExportJob asked, parse_export(job.plan.request));
  SubmissionRequest wanted = asked.request();
  wanted.output = request.output;
  wanted.overwrite = request.overwrite;
  FIDUCIAL_TRY(const FoundByUnits found, found_by_units(job));
  wanted.checks = found.checks;
  wanted.checked = found.report;
  FIDUCIAL_TRY(const PackedSubmission packed, pack_submission(wanted, job.executor, job.console));
  return say_exported(submission_outcome(packed, wanted.output), wanted.predictions, request.json,
                      job.console);
}

}  // namespace

PlannedVerb planned_export() {
  return {.name = "export",
          .summary = "Check predictions case by case, and pack them as a submission",
          .example = "fiducial plan export --to submission rexgroundingct/ predictions/ -o JOB",
          .define = [](Verb verb) -> std::function<Result<PlannedRequest>()> {
            auto asked = std::make_shared<ExportJob>();
            verb.add_option("--to", asked->format, "What to write: submission")
                ->required()
                ->one_of({"submission"});
            verb.add_option("DIR", asked->dataset,
                            "Dataset folder in a published layout (fiducial info lists them)")
                ->required();
            verb.add_option("PREDICTIONS", asked->predictions, "Predictions as 'fiducial score' takes them")
                ->required();
            verb.add_option("--split", asked->split,
                            "Split the predictions are for (default: the one that scoring takes)");
            return [asked] { return resolve_export(*asked); };
          },
          .open = open_export,
          .merge = merge_export};
}

}  // namespace fiducial::cli
