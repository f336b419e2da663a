#include <algorithm>
#include <memory>
#include <set>

#include "fiducial/base/freed_memory.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/system_error.h"
#include "fiducial/workflows/answer_requests.h"

#include "asked_stage.h"
#include "concluded_run.h"
#include "failure_budget.h"
#include "planned_verb.h"
#include "run_arguments_json.h"

namespace fiducial::cli {

namespace {

constexpr std::uint64_t most_journal_bytes = std::uint64_t{1} << 36;
constexpr std::size_t kept_freed_bytes = std::size_t{256} << 20U;

class SilentWatcher final : public AskWatcher {
 public:
  void changed(const AskState&) override {}
};

// A line of requests.jsonl, which its hash names.
struct RequestLine {
  std::string hash;
  std::string text;
};

Result<std::vector<RequestLine>> read_requests(const Path& file) {
  FIDUCIAL_TRY(const std::string text, read_text_file(file, most_journal_bytes));
  std::vector<RequestLine> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    FIDUCIAL_TRY(const Json request, parse_json(line).in_file(file.string()));
    FIDUCIAL_TRY(std::string hash, required_string(request, "request", ""));
    out.push_back({std::move(hash), std::move(line)});
  }
  return out;
}

Result<std::vector<std::string>> names_asked(const RunRequest& request) {
  if (!is_file(request.dataset)) return asked_names(request);
  FIDUCIAL_TRY(const std::vector<RequestLine> lines, read_requests(request.dataset));
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const RequestLine& each : lines) {
    if (known.insert(each.hash).second) out.push_back(each.hash);
  }
  return out;
}

Result<PlannedRequest> resolve_run(const RunArguments& asked) {
  if (is_stage_workflow(asked.request.workflow))
    return bad_usage("--workflow " + asked.request.workflow +
                     ": a stage reads its table at once; plan its requests.jsonl instead");
  const Json kept = run_arguments_json(asked);
  FIDUCIAL_TRY(RunArguments arguments, parse_run_arguments(kept));
  arguments.output = "unit";  // where a unit goes is for its worker to say
  FIDUCIAL_TRY(const RunRequest request, run_request(arguments));
  FIDUCIAL_TRY(const std::vector<std::string> names, names_asked(request));
  PlannedRequest out{
      .request = kept, .inputs = {{"dataset", arguments.dataset}}, .cases = {}, .may_differ = true};
  for (const auto& [role, path] :
       {std::pair("judged", arguments.judged), std::pair("cases", arguments.case_list)}) {
    if (!path.empty()) out.inputs.push_back({role, path});
  }
  out.cases.reserve(names.size());
  for (const std::string& name : names) out.cases.push_back({name, {}});
  return out;
}

// The folder of an attempt at a unit, which begins with the replies of the attempt before.
Result<Path> unit_run_folder(const Path& journal) {
  const std::string name = journal.filename().string();
  const std::size_t dot = name.find('.');
  const auto attempt = dot == std::string::npos ? std::nullopt : parse_integer(name.substr(dot + 1));
  const Path out = journal.string() + ".run";
  FIDUCIAL_TRY_DONE(make_folders(out));
  for (std::int64_t before = attempt.value_or(0) - 1; before >= 0; --before) {
    const Path earlier =
        journal.parent_path() / (name.substr(0, dot + 1) + decimal(before) + ".run") / journal_file;
    if (!is_file(earlier) || is_file(out / journal_file)) continue;
    FIDUCIAL_TRY(const std::string replies, read_text_file(earlier, most_journal_bytes));
    FIDUCIAL_TRY_DONE(write_file(out / journal_file, std::string_view(replies)));
  }
  return out;
}

void forget_unit_runs(const Path& journal) {
  const std::string name = journal.filename().string();
  const std::string unit = name.substr(0, name.find('.') + 1);
  std::error_code ignored;
  for (std::int64_t attempt = 0; attempt < 64; ++attempt)
    std::filesystem::remove_all(journal.parent_path() / (unit + decimal(attempt) + ".run"), ignored);
}

Result<RunRequest> unit_request(const RunArguments& asked, const std::vector<std::string>& names,
                                const Path& folder) {
  RunArguments arguments = asked;
  arguments.output = folder.string();
  arguments.limit.reset();  // the plan's cases are within it
  std::string list;
  if (is_file(arguments.dataset)) {
    FIDUCIAL_TRY(const std::vector<RequestLine> lines, read_requests(arguments.dataset));
    const std::set<std::string> wanted(names.begin(), names.end());
    for (const RequestLine& each : lines) {
      if (wanted.contains(each.hash)) list += each.text + "\n";
    }
  } else {
    for (const std::string& name : names) list += name + "\n";
  }
  const Path chosen = folder / "chosen.txt";
  FIDUCIAL_TRY_DONE(write_file(chosen, std::string_view(list)));
  if (!is_file(arguments.dataset)) {
    arguments.case_list = chosen.string();
    return run_request(arguments);
  }
  FIDUCIAL_TRY(RunRequest out, run_request(arguments));
  out.stage_input = out.dataset;
  out.workflow = "requests";
  out.dataset = chosen;
  return out;
}

// Asks what a unit asks. What stopped it is its failure; what it heard is kept for the next attempt.
Outcome ask_unit(RunRequest request, const RunArguments& arguments, std::size_t items) {
  SilentWatcher watcher;
  if (!request.stage_input.empty()) {
    FIDUCIAL_TRY(const std::int64_t allowed, arguments.max_failures.empty()
                                                 ? Result<std::int64_t>(10)
                                                 : allowed_failures(arguments.max_failures, items));
    FIDUCIAL_TRY(const AnsweredRequests answered, answer_requests(request, allowed, watcher));
    return answered.stopped ? Outcome(*answered.stopped) : done();
  }
  SilentProgress progress;
  FIDUCIAL_TRY(const PreparedRun prepared, PreparedRun::prepare(std::move(request), false, progress));
  FIDUCIAL_TRY(const std::int64_t allowed, failures_allowed(arguments, prepared));
  FIDUCIAL_TRY(const AskedRun asked, ask_run(prepared, allowed, watcher));
  return asked.stopped ? Outcome(*asked.stopped) : done();
}

Result<PlannedWork> open_run(const OpenJob& job) {
  FIDUCIAL_TRY(const RunArguments arguments, parse_run_arguments(job.plan.request));
  keep_freed_memory(kept_freed_bytes);
  PlannedWork out;
  out.cases = [&plan = job.plan](std::int64_t unit) -> Result<std::vector<CaseInput>> {
    std::vector<CaseInput> cases;
    for (const std::string& name : names_of_unit(plan, unit)) cases.push_back({name, {}});
    return cases;
  };
  out.work = [arguments, job](std::int64_t unit, const Path& journal) -> Result<UnitResult> {
    const std::vector<std::string> names = names_of_unit(job.plan, unit);
    FIDUCIAL_TRY(const Path folder, unit_run_folder(journal));
    FIDUCIAL_TRY(RunRequest request, unit_request(arguments, names, folder));
    FIDUCIAL_TRY_DONE(ask_unit(std::move(request), arguments, names.size()));
    FIDUCIAL_TRY(const std::string replies, read_text_file(folder / journal_file, most_journal_bytes));
    FIDUCIAL_TRY(std::string hash, job.folder.keep(replies));
    forget_unit_runs(journal);
    return UnitResult{unit,
                      Json::object({{"asked", static_cast<std::int64_t>(names.size())}}),
                      {{journal_file, std::move(hash)}}};
  };
  return out;
}

// The journals of all units as one: they are of one plan, which the first line says.
Result<std::string> joined_journals(const OpenJob& job) {
  std::string out;
  std::string heading;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&](const UnitResult& result) -> Outcome {
    for (const auto& [name, hash] : result.files) {
      FIDUCIAL_TRY(const std::string text, job.folder.read_kept(hash, most_journal_bytes));
      const std::string first = text.substr(0, text.find('\n') + 1);
      if (heading.empty()) out = heading = first;
      if (first != heading)
        return Error(ErrorCode::integrity, "unit " + decimal(result.unit) +
                                               " asked by another plan than the first: an input changed");
      out.append(text, first.size());
    }
    return done();
  }));
  return out;
}

Result<int> merge_run(const OpenJob& job, const MergeRequest& request) {
  FIDUCIAL_TRY(RunArguments arguments, parse_run_arguments(job.plan.request));
  arguments.output = request.output;
  arguments.json = request.json;
  const Path journal = Path(request.output) / journal_file;
  if (is_file(journal))
    return Error(ErrorCode::bad_usage, "the folder holds a run already; give another -o",
                 Place{.path = request.output});
  FIDUCIAL_TRY(const std::string replies, joined_journals(job));
  FIDUCIAL_TRY_DONE(make_folders(request.output));
  FIDUCIAL_TRY_DONE(write_file(journal, std::string_view(replies)));
  if (is_file(arguments.dataset)) {
    job.console.print(request.output + ": " + decimal(job.plan.cases.size()) +
                      " requests; give the stage --replay " + journal.string() + "\n");
    return 0;
  }
  arguments.replay = journal.string();
  FIDUCIAL_TRY(RunRequest asked, run_request(arguments));
  FIDUCIAL_TRY(const PreparedRun prepared, PreparedRun::prepare(std::move(asked), false, job.console));
  SilentWatcher watcher;
  FIDUCIAL_TRY(const AskedRun concluded, ask_run(prepared, 0, watcher));
  return conclude_run(prepared, arguments, concluded, job.console);
}

}  // namespace

PlannedVerb planned_run() {
  return {.name = "run",
          .summary = "Ask a model about every case; limits of rates are each worker's own",
          .example = "fiducial plan run medthinkvqa --model MODEL --endpoint http://node:8000/v1 -o JOB",
          .define = [](Verb verb) -> std::function<Result<PlannedRequest>()> {
            auto arguments = std::make_shared<RunArguments>();
            define_planned_run_arguments(verb, *arguments);
            return [arguments] { return resolve_run(*arguments); };
          },
          .open = open_run,
          .merge = merge_run};
}

}  // namespace fiducial::cli
