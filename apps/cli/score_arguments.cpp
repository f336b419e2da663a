#include "score_arguments.h"

namespace fiducial::cli {

namespace {

std::string task_help() {
  std::string out = "Task to score by (default: what the predictions are for)";
  for (const Task& task : all_tasks()) out += "; " + task.id + ": " + task.predictions;
  return out;
}

// The task whose options --help shows: the one that was named, else the one of the dataset that was.
const Task* task_at_hand(Verb verb) {
  const auto first = [verb](const char* name) {
    const std::vector<std::string> typed = verb.typed(name);
    return typed.empty() ? std::string() : typed.front();
  };
  const std::string named = first("--task");
  if (!named.empty()) {
    const Result<const Task*> task = find_task(named);
    return task.ok() ? *task : nullptr;
  }
  if (first("DIR").empty()) return nullptr;
  const Result<const Task*> task = choose_task(first("DIR"), first("PREDICTIONS"), "");
  return task.ok() ? *task : nullptr;
}

}  // namespace

void ScoreArguments::declare(Verb verb) {
  verb.add_option("DIR", dataset, "Dataset folder in a published layout (fiducial info lists them)")
      ->required();
  verb.add_option("PREDICTIONS", predictions, "Predictions to score, as the task takes them")->required();
  std::vector<std::string> ids;
  for (const Task& each : all_tasks()) ids.push_back(each.id);
  verb.add_option("--task", task, task_help())->one_of(ids);
  arguments.declare(verb, TaskArguments::Which::all);
  verb.add_option("--max-failures", max_failures,
                  "Missing or failed predictions allowed: a count or a share (5%)")
      ->capture_default_str()
      ->heading("How the run is carried out");
  constexpr const char* heading = "What is written";
  verb.add_flag("--no-report", no_report, "Write no report.html")->heading(heading);
  verb.add_flag(
          "--private", is_private,
          "Withhold all that tells about single cases or few patients: names, rows, hashes, small groups")
      ->heading(heading);
  verb.add_option("--min-group", min_group, "Fewest patients behind a value of a private run")
      ->check(Range(2, 1'000'000))
      ->capture_default_str()
      ->heading(heading);
}

void ScoreArguments::show(Verb verb) const { arguments.show(task_at_hand(verb)); }

TaskRequest ScoreArguments::request() const {
  return {.dataset = dataset, .predictions = predictions, .values = arguments.values()};
}

}  // namespace fiducial::cli
