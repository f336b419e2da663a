#include "concluded_run.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

#include "failure_budget.h"
#include "shell_word.h"

namespace fiducial::cli {

namespace {

std::string summary_text(const RunArguments& arguments, const AskedRun& asked) {
  const RunSummary& summary = asked.summary;
  std::string out = arguments.output + ": " + decimal(summary.items) + " items, " +
                    decimal(summary.answered) + " answered, " + decimal(summary.failed) + " failed";
  if (summary.overflow > 0) out += " (" + decimal(summary.overflow) + " of them by overflow)";
  if (summary.recovered > 0) out += ", " + decimal(summary.recovered) + " recovered by a second turn";
  if (summary.open > 0) out += ", " + decimal(summary.open) + " not asked yet";
  if (summary.in_text > 0) out += ", " + decimal(summary.in_text) + " replies not in the form asked for";
  const Json* calls = summary.manifest.find("calls");
  const Json* tokens = calls->find("tokens");
  out += "\n" + decimal(integer_at(*calls, "replies")) + " replies, " +
         decimal(integer_at(*tokens, "prompt")) + " + " + decimal(integer_at(*tokens, "completion")) +
         " tokens";
  if (const Json* cost = summary.manifest.find("cost"))
    out += ", " + fixed(number_at(*cost, "total").value_or(0), 4) + " " + text_at(*cost, "currency");
  out += "\n";
  for (const auto& [why, count] : summary.reasons) out += decimal(count) + " failed: " + why + "\n";
  for (const auto& [name, count] : *calls->find("dropped_parameters")->as_object())
    out += "the parameter " + name + " was refused and left out of " + decimal(*count.as_integer()) +
           " requests\n";
  return out;
}

// What is typed next, where that is plain.
void say_next(const PreparedRun& run, const RunArguments& arguments, Console& console) {
  const Workflow& workflow = run.workflow();
  const std::string output = shell_word(arguments.output);
  if (workflow.judges && workflow.judged == Judged::steps) {
    console.note("next  fiducial judge certify " + output + " --labels people.csv -o certificate.json");
  } else if (!workflow.judges && (workflow.answers || workflow.scans)) {
    console.note("next  fiducial score " + shell_word(arguments.dataset) + " " + output + " -o scores");
  }
}

}  // namespace

Result<std::int64_t> failures_allowed(const RunArguments& arguments, const PreparedRun& run) {
  const auto items = static_cast<std::size_t>(run.items());
  if (!arguments.max_failures.empty()) return allowed_failures(arguments.max_failures, items);
  constexpr std::int64_t usual = 10;
  return std::max<std::int64_t>(usual, run.items() / 20);
}

Result<int> conclude_run(const PreparedRun& prepared, const RunArguments& arguments, const AskedRun& asked,
                         Console& console) {
  console.print(arguments.json ? asked.summary.manifest.pretty() : summary_text(arguments, asked));
  if (asked.stopped) return *asked.stopped;
  if (asked.summary.open > 0) {
    console.note(decimal(asked.summary.open) + " items have no reply in the journal" +
                 (asked.other_plan.empty() ? "" : ", which is of another run (" + asked.other_plan + ")"));
    return exit_status(ErrorCode::unfinished);
  }
  FIDUCIAL_TRY(const std::int64_t allowed, failures_allowed(arguments, prepared));
  if (asked.summary.failed <= allowed) {
    if (!arguments.json && asked.summary.answered > 0) say_next(prepared, arguments, console);
    return 0;
  }
  return Error(ErrorCode::too_many_failures,
               decimal(asked.summary.failed) + " items failed; errors.jsonl says which and why");
}

}  // namespace fiducial::cli
