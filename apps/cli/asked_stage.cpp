#include "asked_stage.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/curate/all_stages.h"
#include "fiducial/workflows/answer_requests.h"

#include "ask_line.h"
#include "failure_budget.h"

namespace fiducial::cli {

namespace {

constexpr std::string_view prefix = "curate:";

// The settings of a stage, as --stage gives them: NAME=VALUE, a flag by its name alone.
Outcome take_setting(const Stage& stage, const std::string& word, StageRequest& out) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const std::string value = equals == std::string::npos ? "true" : word.substr(equals + 1);
  if (name == "mode") {
    if (value != "strict" && value != "official")
      return no_such_name("mode", value, {"strict", "official"}, "--stage mode: ");
    out.mode = value == "strict" ? CurationMode::strict : CurationMode::official;
    return done();
  }
  if (name == "seed") {
    const auto seed = parse_unsigned(value);
    if (!seed) return bad_usage("--stage seed: expected a number, found \"" + value + "\"");
    out.seed = *seed;
    return done();
  }
  std::vector<std::string> known{"mode", "seed"};
  for (const auto* options : {&stage.inputs, &stage.options}) {
    for (const StageOption& option : *options) known.push_back(option.name);
  }
  if (std::find(known.begin(), known.end(), name) == known.end())
    return no_such_name("setting of " + stage.name, name, known, "--stage: ");
  out.values[name].push_back(value);
  return done();
}

Result<StageRequest> stage_request(const Stage& stage, const RunRequest& request,
                                   const RunArguments& arguments) {
  StageRequest out{.output = request.output / (stage.writes_file ? stage.name + ".jsonl" : stage.name),
                   .overwrite = true,
                   .model = request.model};
  FIDUCIAL_ASSERT(!stage.inputs.empty());
  out.values[stage.inputs.front().name] = {request.dataset.string()};
  for (const StageOption& option : stage.options) {
    if (option.name == "ask" && option.kind == StageOption::Kind::flag) out.values["ask"] = {"true"};
  }
  for (const std::string& word : arguments.stage) FIDUCIAL_TRY_DONE(take_setting(stage, word, out));
  return out;
}

std::string finished_text(const RunArguments& arguments, const StageRequest& stage,
                          const StageOutcome& outcome) {
  if (arguments.json) return outcome.manifest.pretty();
  std::string out = stage.output.string() + ": " + decimal(outcome.items) + " items";
  for (const auto& [status, count] : *outcome.manifest.find("statuses")->as_object())
    out += ", " + decimal(*count.as_integer()) + " " + status;
  return out + "\n";
}

}  // namespace

std::vector<std::string> stage_workflows() {
  std::vector<std::string> out;
  for (const Stage& stage : all_stages()) {
    if (stage.asks) out.push_back(std::string(prefix) + stage.name);
  }
  return out;
}

bool is_stage_workflow(const std::string& workflow) { return workflow.starts_with(prefix); }

Result<int> run_asked_stage(RunRequest request, const RunArguments& arguments, Console& console) {
  if (arguments.max_failures.ends_with('%'))
    return bad_usage("--max-failures: of a stage of curation it is a count, not a share");
  FIDUCIAL_TRY(const Stage* stage, find_stage(request.workflow.substr(prefix.size())));
  FIDUCIAL_TRY(StageRequest wanted, stage_request(*stage, request, arguments));
  FIDUCIAL_TRY_DONE(allow_stage_input(request));
  std::error_code ignored;
  std::filesystem::create_directories(request.output, ignored);
  const Path journal = request.output / journal_file;
  constexpr std::int64_t usual_failures = 10;
  FIDUCIAL_TRY(const std::int64_t allowed, arguments.max_failures.empty()
                                               ? Result<std::int64_t>(usual_failures)
                                               : allowed_failures(arguments.max_failures, 0));
  request.stage_input = request.dataset;
  // What failed in an earlier command, as when an account was empty, is asked for again once.
  const std::uintmax_t journalled = is_file(journal) ? std::filesystem::file_size(journal, ignored) : 0;
  wanted.forgiven_bytes = ignored ? 0 : journalled;
  while (true) {
    if (is_file(journal)) wanted.replay = journal;
    FIDUCIAL_TRY(const StageOutcome outcome, run_stage(*stage, wanted, console));
    if (outcome.unanswered == 0) {
      console.print(finished_text(arguments, wanted, outcome));
      if (outcome.failures <= allowed) return 0;
      console.note("error: " + decimal(outcome.failures) + " of " + decimal(outcome.items) +
                   " items failed; the status file says which and why");
      return exit_status(ErrorCode::too_many_failures);
    }
    if (arguments.dry_run) {
      console.print(decimal(outcome.unanswered) + " requests, in " + outcome.requests.string() +
                    "\nnothing was sent\n");
      return 0;
    }
    request.dataset = outcome.requests;
    const auto answered = [&]() -> Result<AnsweredRequests> {
      AskLine line(!request.prices.empty());
      return answer_requests(request, allowed, line);
    }();
    if (!answered.ok()) return answered.error();
    console.note(decimal(answered->requests) + " requests, " + decimal(answered->answered) + " answered, " +
                 decimal(answered->failed) + " failed");
    if (answered->stopped) {
      console.note("error: " + answered->stopped->text());
      return exit_status(answered->stopped->code());
    }
  }
}

}  // namespace fiducial::cli
