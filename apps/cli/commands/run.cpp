#include <memory>
#include <string>

#include "fiducial/base/freed_memory.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/workflows/answer_requests.h"
#include "fiducial/workflows/ask_run.h"
#include "fiducial/workflows/chat_examples.h"
#include "fiducial/workflows/question_list.h"

#include "ask_line.h"
#include "asked_stage.h"
#include "command.h"
#include "concluded_run.h"
#include "failure_budget.h"
#include "run_arguments.h"
#include "served_engine.h"

namespace fiducial::cli {

namespace {

// The requests about one case that can be made before any reply, with pictures by their hashes.
Result<int> show_prompt(const PreparedRun& run, const std::string& title, Console& console) {
  bool is_known = false;
  for (const AskedCase& each : run.cases()) {
    if (each.title != title && each.shown.scan != title) continue;
    is_known = true;
    if (!each.problem.empty()) return invalid_data(title + ": " + each.problem);
    for (const Dialogue::Opened& question : run.begin_dialogue(each, 0)->open_questions()) {
      Json shown = Json::object({{"step", question.step}, {"hash", question.request.hash()}});
      console.print(shown.set("request", question.request.json()).pretty());
    }
  }
  if (is_known) return 0;
  return bad_usage("--show-prompt: \"" + title + "\" is no case of the split");
}

Result<int> dry_run(const PreparedRun& run, bool as_json, Console& console) {
  FIDUCIAL_TRY(const RunEstimate estimate, estimate_run(run));
  if (as_json) {
    Json out = Json::object({{"cases", estimate.cases},
                             {"questions", estimate.questions},
                             {"journalled", estimate.known},
                             {"unaskable", estimate.unaskable},
                             {"images", estimate.images},
                             {"prompt_tokens", estimate.prompt_tokens},
                             {"most_completion_tokens", estimate.completion_tokens},
                             {"most_cost", estimate.most_cost ? Json(*estimate.most_cost) : Json()}});
    console.print(out.pretty());
    return 0;
  }
  std::string out = decimal(estimate.cases) + " cases, " + decimal(estimate.questions) + " questions, " +
                    decimal(estimate.known) +
                    " of them answered by the journal\nto send: " + decimal(estimate.images) +
                    " images, about " + decimal(estimate.prompt_tokens) + " tokens, for at most " +
                    decimal(estimate.completion_tokens) + " tokens of replies\n";
  if (estimate.unaskable > 0)
    out += decimal(estimate.unaskable) + " cases cannot be asked about; " + estimate.why_not + "\n";
  if (estimate.most_cost)
    out += "cost: at most " + fixed(*estimate.most_cost, 4) + " " + estimate.currency + " by estimate\n";
  console.print(out + "nothing was sent\n");
  return 0;
}

Result<int> list_questions(const PreparedRun& run, const RunArguments& arguments, Console& console) {
  FIDUCIAL_TRY(const ListedQuestions listed, write_questions(run));
  if (arguments.json) {
    console.print(Json::object({{"questions", listed.questions}, {"unaskable", listed.unaskable}}).pretty());
    return 0;
  }
  console.print(
      (run.request().output / questions_file).string() + ": " + decimal(listed.questions) + " questions" +
      (listed.unaskable > 0 ? ", " + decimal(listed.unaskable) + " cases cannot be asked about" : "") +
      "; nothing was sent\n");
  return 0;
}

// Requests of a curation stage, whose replies it takes from the journal.
Result<int> run_requests(const RunRequest& request, const RunArguments& arguments, Console& console) {
  constexpr std::int64_t usual = 10;
  if (arguments.max_failures.ends_with('%'))
    return bad_usage("--max-failures: of requests of curation it is a count, not a share");
  FIDUCIAL_TRY(const std::int64_t allowed, arguments.max_failures.empty()
                                               ? Result<std::int64_t>(usual)
                                               : allowed_failures(arguments.max_failures, 0));
  const auto answered = [&]() -> Result<AnsweredRequests> {
    AskLine line(!request.prices.empty());
    return answer_requests(request, allowed, line);
  }();
  if (!answered.ok()) return answered.error();
  const std::string journal = (request.output / journal_file).string();
  console.print(arguments.json ? answered->manifest.pretty()
                               : arguments.output + ": " + decimal(answered->requests) + " requests, " +
                                     decimal(answered->answered) + " answered, " + decimal(answered->failed) +
                                     " failed; give the stage --replay " + journal + "\n");
  if (!answered->stopped) return 0;
  console.note("error: " + answered->stopped->text());
  return exit_status(answered->stopped->code());
}

Result<int> run(const RunArguments& arguments, Console& console) {
  install_stop_signals();
  keep_freed_memory(std::size_t{256} << 20U);  // bodies with images come and go
  FIDUCIAL_TRY(RunRequest request, run_request(arguments));
  std::optional<ServedEngine> engine;
  if (!arguments.serve.empty()) {
    FIDUCIAL_TRY(ServedEngine started, ServedEngine::start(arguments.serve, request.output, console));
    engine.emplace(std::move(started));
    request.endpoint = engine->url();
  }
  if (request.only_lists && (is_stage_workflow(request.workflow) || is_file(request.dataset)))
    return bad_usage("--questions: the requests of a curation stage are a list already");
  if (is_stage_workflow(request.workflow)) return run_asked_stage(std::move(request), arguments, console);
  if (is_file(request.dataset)) return run_requests(request, arguments, console);
  const bool keeps_nothing =
      arguments.dry_run || !arguments.show_prompt.empty() || !arguments.chat_examples.empty();
  FIDUCIAL_TRY(const PreparedRun prepared, PreparedRun::prepare(std::move(request), keeps_nothing, console));
  if (!arguments.show_prompt.empty()) return show_prompt(prepared, arguments.show_prompt, console);
  if (!arguments.chat_examples.empty()) {
    FIDUCIAL_TRY(const std::int64_t lines, write_chat_examples(prepared, arguments.chat_examples));
    console.print(arguments.chat_examples + ": " + decimal(lines) + " examples\n");
    return 0;
  }
  if (arguments.dry_run) return dry_run(prepared, arguments.json, console);
  if (prepared.request().only_lists) return list_questions(prepared, arguments, console);
  FIDUCIAL_TRY(const std::int64_t allowed, failures_allowed(arguments, prepared));
  const auto asked = [&]() -> Result<AskedRun> {
    AskLine line(!prepared.request().prices.empty());
    return ask_run(prepared, allowed, line);
  }();
  if (!asked.ok()) return asked.error();
  return conclude_run(prepared, arguments, *asked, console);
}

}  // namespace

Command run_command() {
  return {.name = "run",
          .summary = "Ask a model about every case, and write its predictions",
          .example = "fiducial run medthinkvqa --model MODEL --endpoint http://127.0.0.1:8000/v1 -o RUN",
          .define = [](Verb verb) -> CommandBody {
            auto arguments = std::make_shared<RunArguments>();
            define_run_arguments(verb, *arguments);
            return [arguments](Console& console) { return run(*arguments, console); };
          }};
}

}  // namespace fiducial::cli
