#include <map>
#include <memory>
#include <set>
#include <string>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/folder/shard_folder.h"
#include "fiducial/eval/task/case_journal.h"
#include "fiducial/pages/run_page.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/terminal/scorecard.h"

#include "command.h"
#include "failure_budget.h"
#include "score_outputs.h"
#include "task_arguments.h"

namespace fiducial::cli {

namespace {

struct ScoreOptions {
  std::string dataset;
  std::string predictions;
  std::string output;
  std::string task;
  TaskArguments arguments;
  std::string shard;
  std::string max_failures = "0";
  int threads = 0;
  int min_group = usual_min_group;
  bool is_private = false;
  bool no_report = false;
  bool overwrite = false;
  bool json = false;
};

// Of one kind no more are said; an archive can have tens of thousands of files that belong to no case.
constexpr std::int64_t said_of_a_kind = 10;

// In private only counts are said; the names stay with whoever holds the truth.
void say_remarks(const ScoreRun& run, Console& console) {
  std::set<std::string> cases;
  for (const RunCase& entry : run.cases) cases.insert(entry.name);
  std::map<std::string, std::int64_t> of_kind;
  for (const Remark& each : run.remarks) {
    if (++of_kind[each.code] > said_of_a_kind) continue;
    const bool has_failed = each.kind == Remark::Kind::failure;
    const std::string prefix = has_failed && cases.contains(each.about) ? each.code + ": " : "";
    if (each.kind == Remark::Kind::note) {
      console.note(each.about + ": " + each.text);
    } else {
      console.warn(prefix + each.about + ": " + each.text);
    }
  }
  for (const auto& [code, count] : of_kind) {
    if (count > said_of_a_kind)
      console.warn(decimal(count - said_of_a_kind) + " more remarks \"" + code +
                   "\"; summary.json lists the first hundred in \"remarks\"");
  }
}

// The card shows the groups that were asked for; the summary has all of them anyway.
std::string card_of(Json summary, const OptionValues& values, std::size_t width) {
  const auto words = values.find("group-by");
  if (words == values.end()) return scorecard(summary, width);
  Json kinds{Json::Array{}};
  for (const std::string& word : words->second) kinds.push(word.substr(0, word.find(':')));
  return scorecard(summary.set("group_by", std::move(kinds)), width);
}

// A status by how many cases or questions failed.
Result<int> conclude(const ScoreOptions& options, const ScoreRun& run, Console& console) {
  FIDUCIAL_TRY(const std::int64_t allowed,
               allowed_failures(options.max_failures, static_cast<std::size_t>(run.attempts)));
  if (run.failures <= allowed) return 0;
  console.warn(decimal(run.failures) + " of " + decimal(run.attempts) + " " + run.attempt_words +
               "; --max-failures allows " + decimal(allowed));
  return exit_status(ErrorCode::too_many_failures);
}

Result<TaskRequest> request_of(const ScoreOptions& options) {
  TaskRequest out{
      .dataset = options.dataset, .predictions = options.predictions, .values = options.arguments.values()};
  if (!options.is_private) out.journal = journal_path(options.output);  // it holds the scores of single cases
  if (options.shard.empty()) return out;
  if (options.is_private) return bad_usage("--private and --shard: a shard holds the scores of single cases");
  FIDUCIAL_TRY(out.shard, Shard::parse(options.shard));
  return out;
}

Result<int> score(const ScoreOptions& options, Console& console) {
  install_stop_signals();
  FIDUCIAL_TRY(const TaskRequest request, request_of(options));
  FIDUCIAL_TRY_DONE(allowed_failures(options.max_failures, 0));
  FIDUCIAL_TRY(const Task* task, choose_task(request.dataset, request.predictions, options.task));
  FIDUCIAL_TRY_DONE(check_output(options.output, options.overwrite));
  FIDUCIAL_TRY(OutputLock lock, OutputLock::take(options.output));
  ScoreOutput output{.folder = options.output,
                     .overwrite = options.overwrite,
                     .is_private = options.is_private,
                     .min_group = options.min_group,
                     .lock = std::make_shared<OutputLock>(std::move(lock)),
                     .more = {}};
  const Executor executor(options.threads);
  FIDUCIAL_TRY(const ScoreRun run, score_task(*task, request, executor, console));
  if (request.shard) {
    FIDUCIAL_TRY_DONE(write_shard(run, *request.shard, output));
    console.note("shard " + request.shard->text() + ": " + decimal(run.cases.size()) + " cases in " +
                 options.output + "; 'fiducial merge' puts shards together");
    return 0;
  }
  const auto volumes = request.values.find("volumes");
  if (!options.no_report) {
    output = with_page(
        std::move(output),
        {request.dataset, request.predictions,
         volumes == request.values.end() ? std::nullopt : std::optional<Path>(volumes->second.front()),
         options.threads});
  }
  FIDUCIAL_TRY(const Json summary, write_scores(run, output, executor));
  if (!options.is_private) say_remarks(run, console);
  if (options.json) {
    console.print(summary.pretty());
  } else {
    console.show(card_of(summary, request.values, console.width()));
  }
  say_score_outputs(options.output, console);
  return conclude(options, run, console);
}

void define_outputs(Verb verb, ScoreOptions& options) {
  constexpr const char* heading = "What is written";
  verb.add_flag(
          "--private", options.is_private,
          "Withhold all that tells about single cases or few patients: names, rows, hashes, small groups")
      ->heading(heading);
  verb.add_option("--min-group", options.min_group, "Fewest patients behind a value of a private run")
      ->check(Range(2, 1'000'000))
      ->capture_default_str()
      ->heading(heading);
  verb.add_flag("--no-report", options.no_report, "Write no report.html")->heading(heading);
  verb.add_flag("--overwrite", options.overwrite, "Replace an earlier output folder")->heading(heading);
  verb.add_flag("--json", options.json, "Print the summary as JSON")->heading(heading);
}

void define_run(Verb verb, ScoreOptions& options) {
  constexpr const char* heading = "How the run is carried out";
  verb.add_option("--shard", options.shard,
                  "Score only part i of n of the cases, e.g. 0/16; see 'fiducial merge'")
      ->heading(heading);
  verb.add_option("--max-failures", options.max_failures,
                  "Missing or failed predictions allowed: a count or a share (5%)")
      ->capture_default_str()
      ->heading(heading);
  verb.add_option("--threads", options.threads, "Threads (0: one per core)")
      ->check(Range(0, 1024))
      ->capture_default_str()
      ->heading(heading);
}

std::string task_help() {
  std::string out = "Task to score by (default: what the predictions are for)";
  for (const Task& task : all_tasks()) out += "; " + task.id + ": " + task.predictions;
  return out;
}

void define_score(Verb verb, ScoreOptions& options) {
  verb.add_option("DIR", options.dataset, "Dataset folder in a published layout (fiducial info lists them)")
      ->required();
  verb.add_option("PREDICTIONS", options.predictions, "Predictions to score, as the task takes them")
      ->required();
  verb.add_option("-o,--output", options.output, "Folder to write the scores to")->required();
  std::vector<std::string> ids;
  for (const Task& task : all_tasks()) ids.push_back(task.id);
  verb.add_option("--task", options.task, task_help())->one_of(ids);
  options.arguments.declare(verb, TaskArguments::Which::all);
  define_run(verb, options);
  define_outputs(verb, options);
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

Command score_command() {
  return {.name = "score",
          .summary = "Score predictions against a dataset",
          .example = "fiducial score rexgroundingct/ predictions/ -o scores/ --volumes ct-rate/",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ScoreOptions>();
            define_score(verb, *options);
            verb.before_help([verb, options] { options->arguments.show(task_at_hand(verb)); });
            return [options](Console& console) { return score(*options, console); };
          }};
}

}  // namespace fiducial::cli
