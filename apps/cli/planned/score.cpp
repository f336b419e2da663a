#include <map>
#include <memory>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/run/score_run_json.h"
#include "fiducial/pages/run_page.h"
#include "fiducial/tasks/all_tasks.h"

#include "failure_budget.h"
#include "planned_verb.h"
#include "score_arguments.h"
#include "score_outputs.h"

namespace fiducial::cli {

namespace {

// A request as the plan holds it.
struct ScoreJob {
  const Task* task = nullptr;
  TaskRequest request;
  std::string max_failures;
  bool no_report = false;
  std::optional<std::int64_t> min_group;  // of a private run
};

bool task_names_files(const TaskOption& option) {
  return option.kind == TaskOption::Kind::path || option.kind == TaskOption::Kind::named_paths;
}

std::string absolute_value(const TaskOption& option, const std::string& value) {
  if (option.kind == TaskOption::Kind::path) return absolute_text(value);
  const std::size_t equals = value.find('=') + 1;
  return value.substr(0, equals) + absolute_text(value.substr(equals));
}

std::vector<JobInput> inputs_of(const Task& task, const TaskRequest& request) {
  std::vector<JobInput> out{{"dataset", request.dataset}, {"predictions", request.predictions}};
  for (const TaskOption& option : options_of(task)) {
    const auto found = request.values.find(option.name);
    if (!task_names_files(option) || found == request.values.end()) continue;
    for (const std::string& value : found->second) {
      const bool is_named = option.kind == TaskOption::Kind::named_paths;
      out.push_back({option.name, is_named ? value.substr(value.find('=') + 1) : value});
    }
  }
  return out;
}

// Cases of one name are one case: they are told apart by nothing that a unit could name.
std::vector<CaseInput> case_inputs(const std::vector<TaskCase>& cases) {
  std::vector<CaseInput> out;
  std::map<std::string, std::size_t> places;
  for (const TaskCase& each : cases) {
    const auto [place, is_new] = places.try_emplace(each.name, out.size());
    if (is_new) out.push_back({each.name, {}});
    for (const TaskCase::File& file : each.files) out[place->second].files.push_back({file.role, file.path});
  }
  return out;
}

Json values_json(const OptionValues& values) {
  Json out = Json::object({});
  for (const auto& [name, texts] : values) out.set(name, Json::strings(texts));
  return out;
}

// A part that holds every case: only what is cut into parts is listed.
std::shared_ptr<const CasePart> whole_part() {
  auto out = std::make_shared<CasePart>("all", std::set<std::string>());
  out->take_strays({});
  return out;
}

Result<PlannedRequest> resolve(const ScoreArguments& arguments) {
  FIDUCIAL_TRY_DONE(allowed_failures(arguments.max_failures, 0));
  TaskRequest request = arguments.request();
  FIDUCIAL_TRY(const Task* task, choose_task(request.dataset, request.predictions, arguments.task));
  request.dataset = absolute_text(request.dataset);
  request.predictions = absolute_text(request.predictions);
  for (const TaskOption& option : options_of(*task)) {
    const auto found = request.values.find(option.name);
    if (!task_names_files(option) || found == request.values.end()) continue;
    for (std::string& value : found->second) value = absolute_value(option, value);
  }
  request.part = whole_part();
  FIDUCIAL_TRY(const std::vector<TaskCase> cases, list_cases(*task, request));
  return PlannedRequest{
      .request = Json::object({{"task", task->id},
                               {"dataset", request.dataset.string()},
                               {"predictions", request.predictions.string()},
                               {"values", values_json(request.values)},
                               {"max_failures", arguments.max_failures},
                               {"no_report", arguments.no_report},
                               {"min_group", arguments.is_private ? Json(arguments.min_group) : Json()}}),
      .inputs = inputs_of(*task, request),
      .cases = case_inputs(cases),
      .is_private = arguments.is_private};
}

Result<ScoreJob> parse_request(const Json& request) {
  ScoreJob out;
  FIDUCIAL_TRY(const std::string task, required_string(request, "task", "/request"));
  FIDUCIAL_TRY(out.task, find_task(task));
  FIDUCIAL_TRY(const std::string dataset, required_string(request, "dataset", "/request"));
  FIDUCIAL_TRY(const std::string predictions, required_string(request, "predictions", "/request"));
  out.request = {.dataset = dataset, .predictions = predictions};
  FIDUCIAL_TRY(const Json* values, required_field(request, "values", "/request"));
  FIDUCIAL_TRY(const Json::Object* named, expect_object(*values, "/request/values"));
  for (const auto& [name, texts] : *named) out.request.values.emplace(name, strings_of(texts));
  FIDUCIAL_TRY(out.max_failures, required_string(request, "max_failures", "/request"));
  out.no_report = flag_at(request, "no_report").value_or(false);
  if (number_at(request, "min_group")) out.min_group = integer_at(request, "min_group");
  return out;
}

std::shared_ptr<const CasePart> part_of(const JobPlan& plan, std::int64_t unit) {
  const std::vector<std::string> names = names_of_unit(plan, unit);
  auto out = std::make_shared<CasePart>(plan.digest.hex(), std::set<std::string>(names.begin(), names.end()));
  if (unit != 0) return out;
  std::set<std::string> all;
  for (const JobCase& each : plan.cases) all.insert(each.name);
  out->take_strays(std::move(all));
  return out;
}

Result<PlannedWork> open_score(const OpenJob& job) {
  FIDUCIAL_TRY(const ScoreJob asked, parse_request(job.plan.request));
  PlannedWork out;
  out.cases = cases_listed_once(job.plan, [asked]() -> Result<std::vector<CaseInput>> {
    TaskRequest request = asked.request;
    request.part = whole_part();
    FIDUCIAL_TRY(const std::vector<TaskCase> cases, list_cases(*asked.task, request));
    return case_inputs(cases);
  });
  out.work = [asked, job](std::int64_t unit, const Path& journal) -> Result<UnitResult> {
    TaskRequest request = asked.request;
    request.part = part_of(job.plan, unit);
    request.journal = journal;
    SilentProgress progress;
    FIDUCIAL_TRY(const ScoreRun part, score_task(*asked.task, request, job.executor, progress));
    ScoreRunJson json = to_json(part);
    return UnitResult{
        unit, Json::object({{"run", std::move(json.common)}, {"scores", std::move(json.own)}}), {}};
  };
  return out;
}

Result<ScoreRun> merged_run(const OpenJob& job) {
  std::vector<ScoreRun> parts;
  std::string first;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&](const UnitResult& result) -> Outcome {
    FIDUCIAL_TRY(const Json* common, required_field(result.value, "run", "/value"));
    FIDUCIAL_TRY(const Json* own, required_field(result.value, "scores", "/value"));
    const std::string text = common->compact();
    if (first.empty()) first = text;
    if (text != first)
      return Error(ErrorCode::integrity,
                   "unit " + decimal(result.unit) +
                       " was scored against other files than the first: an input changed");
    FIDUCIAL_TRY(parts.emplace_back(), parse_score_run({*common, *own}));
    return done();
  }));
  return merged(std::move(parts));
}

Result<int> merge_score(const OpenJob& job, const MergeRequest& request) {
  FIDUCIAL_TRY(const ScoreJob asked, parse_request(job.plan.request));
  FIDUCIAL_TRY_DONE(check_output(request.output, request.overwrite));
  FIDUCIAL_TRY(ScoreRun run, merged_run(job));
  FIDUCIAL_TRY_DONE(asked.task->conclude(run));
  ScoreOutput output{.folder = request.output,
                     .overwrite = request.overwrite,
                     .is_private = asked.min_group.has_value(),
                     .min_group = static_cast<int>(asked.min_group.value_or(usual_min_group)),
                     .more = {}};
  const auto volumes = asked.request.values.find("volumes");
  if (!asked.no_report) {
    PageSources sources{asked.request.dataset, asked.request.predictions, std::nullopt,
                        job.executor.threads()};
    if (volumes != asked.request.values.end()) sources.volumes = volumes->second.front();
    output = with_page(std::move(output), sources);
  }
  FIDUCIAL_TRY(const Json summary, write_scores(run, output, job.executor));
  if (!asked.min_group) say_remarks(run, job.console);
  if (request.json) {
    job.console.print(summary.pretty());
  } else {
    job.console.show(card_of(summary, asked.request.values, job.console.width()));
  }
  say_score_outputs(request.output, job.console);
  return status_by_failures(asked.max_failures, run, job.console);
}

}  // namespace

PlannedVerb planned_score() {
  return {
      .name = "score",
      .summary = "Score predictions against a dataset",
      .example = "fiducial plan score rexgroundingct/ predictions/ --volumes ct-rate/ --units 1000 -o JOB",
      .define = [](Verb verb) -> std::function<Result<PlannedRequest>()> {
        auto arguments = std::make_shared<ScoreArguments>();
        arguments->declare(verb);
        verb.before_help([verb, arguments] { arguments->show(verb); });
        return [arguments] { return resolve(*arguments); };
      },
      .open = open_score,
      .merge = merge_score};
}

}  // namespace fiducial::cli
