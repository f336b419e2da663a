#include "fiducial/pages/answer_report.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/report/diagnostic_page.h"

namespace fiducial {

namespace {

constexpr std::size_t most_lost = 12;

// What makes the same scores again, with names in the place of this machine's folders.
std::vector<std::string> answers_command(const DiagnosticRun& run, const DiagnosticScoreRequest& request,
                                         bool is_private) {
  std::vector<std::string> out{"fiducial",           "score", run.benchmark + "/",
                               run.predictions_file, "-o",    "scores/"};
  const auto add = [&out](const char* option, const std::string& value) {
    out.insert(out.end(), {option, value});
  };
  const auto add_file = [&add](const char* option, const std::optional<Path>& path) {
    if (path) add(option, path->filename().string());
  };
  const auto add_list = [&add](const char* option, const std::vector<std::string>& words) {
    std::string joined;
    for (const std::string& word : words) joined += (joined.empty() ? "" : ",") + word;
    if (!words.empty()) add(option, joined);
  };
  add("--split", run.split);
  add("--system", run.system);
  add("--mode", std::string(to_string(run.mode)));
  add("--seed", decimal(run.seed));
  add("--resamples", decimal(run.resamples));
  add_list("--metrics", run.metrics);
  add_list("--group-by", run.group_by);
  for (const NamedFile& each : request.baselines) {
    add("--baseline", each.name + "=" + each.path.filename().string());
  }
  add_file("--components", request.components);
  if (request.provider) add("--provider", request.provider->command);
  add_file("--verdicts", request.verdicts);
  add_file("--ratings", request.ratings);
  add_file("--wordnet", request.wordnet);
  if (run.accept_equal_options) out.emplace_back("--accept-equal-options");
  if (is_private) out.emplace_back("--private");
  return out;
}

LostCase lost_case(const DiagnosticRun& run, std::size_t at) {
  const DiagnosticScore& each = run.cases[at];
  const Scorer scorer = run.primary();
  LostCase out{.entry = each.entry,
               .answer = each.answer(scorer).letter,
               .is_missing = each.is_missing,
               .rule = std::string(to_string(each.answer(scorer).rule))};
  if (run.judged.empty()) return out;
  for (const JudgedStep& step : run.judged[at].steps[static_cast<std::size_t>(scorer)]) {
    const StepVerdict& verdict = step.verdict;
    if (verdict.status == VerdictStatus::ok && verdict.is_critical && !verdict.is_factual)
      out.false_steps.push_back(step.text);
  }
  return out;
}

// Without an answer first, then with false critical steps, then the others; each by number.
std::vector<LostCase> lost_cases(const DiagnosticRun& run) {
  std::vector<LostCase> out;
  for (std::size_t at = 0; at < run.cases.size(); ++at) {
    if (!run.cases[at].is_correct(run.primary())) out.push_back(lost_case(run, at));
  }
  const auto order = [](const LostCase& lost) { return !lost.answer ? 0 : lost.false_steps.empty() ? 2 : 1; };
  std::stable_sort(out.begin(), out.end(),
                   [&](const LostCase& a, const LostCase& b) { return order(a) < order(b); });
  return out;
}

}  // namespace

ScoreOutput with_answer_report(ScoreOutput output, const DiagnosticRun& run,
                               const DiagnosticScoreRequest& request) {
  const bool is_private = output.is_private;
  output.more = [&run, &request, is_private](const Json& summary) -> Result<std::vector<NamedText>> {
    DiagnosticPageInput input{
        .summary = summary, .command = answers_command(run, request, is_private), .is_private = is_private};
    if (!is_private) {
      input.lost = lost_cases(run);
      input.lost_in_all = static_cast<std::int64_t>(input.lost.size());
      if (input.lost.size() > most_lost) input.lost.erase(input.lost.begin() + most_lost, input.lost.end());
    }
    return std::vector<NamedText>{{"report.html", diagnostic_page(input)}};
  };
  return output;
}

}  // namespace fiducial
