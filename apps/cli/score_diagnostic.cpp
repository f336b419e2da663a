#include "score_diagnostic.h"

#include "fiducial/base/number_text.h"
#include "fiducial/pages/answer_report.h"
#include "fiducial/report/scorecard.h"

#include "failure_budget.h"

namespace fiducial::cli {

namespace {

// In private only counts are said; the names stay with whoever holds the truth.
void say_remarks(const DiagnosticRun& run, Console& console) {
  for (const DiagnosticRemark& each : run.remarks) {
    if (each.code == "missing") {
      console.warn("missing: " + each.title);
    } else if (each.code == "invalid") {
      console.warn("no answer found: " + each.title);
    } else {
      console.warn(each.title + ": " + each.text);
    }
  }
}

// The card shows the groups that were asked for; the summary has all of them anyway.
std::string card_of(Json summary, const std::vector<std::string>& group_by) {
  if (group_by.empty()) return scorecard(summary);
  Json kinds{Json::Array{}};
  for (const std::string& kind : group_by) kinds.push(kind);
  return scorecard(summary.set("group_by", std::move(kinds)));
}

}  // namespace

void define_answer_options(Verb verb, AnswerOptions& options) {
  verb.add_option(
      "--baseline", options.baselines,
      "Questions: NAME=FILE, predictions to show beside the accuracy, such as option_only=o.jsonl "
      "or zero_image=z.jsonl");
  const DeclaredOption components = verb.add_option(
      "--components", options.components, "Questions: scores that RadCliQ is made of (JSONL or CSV)");
  verb.add_option("--provider", options.provider,
                  "Questions: command that reads JSONL pairs and writes those scores as JSONL")
      ->excludes(components);
  verb.add_option("--provider-timeout-s", options.provider_timeout_s, "Seconds that the provider may take")
      ->check(Range(1, 1'000'000))
      ->capture_default_str();
  verb.add_option("--verdicts", options.verdicts,
                  "Questions: a judge's verdicts on reasoning steps (JSONL or CSV)");
  verb.add_option("--ratings", options.ratings, "Questions: raters' points for discussions (JSONL or CSV)");
  verb.add_option("--wordnet", options.wordnet,
                  "Questions: folder of a WordNet 3 database, for METEOR with synonyms too; auto: Debian's");
  verb.add_flag("--accept-equal-options", options.accept_equal_options,
                "Questions: any letter whose option has the key's text is right");
  verb.add_option("--resamples", options.resamples, "Questions: resamples of an interval")
      ->check(Range(100, 10'000'000))
      ->capture_default_str();
}

Result<DiagnosticScoreRequest> answer_request(const AnswerOptions& options) {
  DiagnosticScoreRequest out;
  for (const std::string& each : options.baselines) {
    const std::size_t at = each.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == each.size()) {
      return bad_usage("--baseline \"" + each + "\"; expected NAME=FILE");
    }
    out.baselines.push_back({each.substr(0, at), each.substr(at + 1)});
  }
  if (!options.components.empty()) out.components = options.components;
  if (!options.provider.empty()) {
    out.provider = ComponentProvider{options.provider, options.provider_timeout_s};
  }
  if (!options.verdicts.empty()) out.verdicts = options.verdicts;
  if (!options.ratings.empty()) out.ratings = options.ratings;
  if (!options.wordnet.empty()) out.wordnet = options.wordnet;
  out.accept_equal_options = options.accept_equal_options;
  out.resamples = options.resamples;
  return out;
}

Result<int> score_diagnostic(const DiagnosticScoreRequest& request, const AnswerOutput& output,
                             Console& console) {
  FIDUCIAL_TRY_DONE(allowed_failures(output.max_failures, 0));
  FIDUCIAL_TRY(const DiagnosticRun run, score_diagnostic_run(request));
  ScoreOutput files = output.output;
  if (output.has_report) files = with_answer_report(std::move(files), run, request);
  FIDUCIAL_TRY(const Json summary, write_scores(run, files, Executor(output.threads)));
  if (!files.is_private) say_remarks(run, console);
  console.print(output.json ? summary.pretty() : card_of(summary, request.group_by));
  FIDUCIAL_TRY(const std::int64_t allowed, allowed_failures(output.max_failures, run.cases.size()));
  const std::int64_t failures = run.missing() + run.invalid(run.primary());
  if (failures <= allowed) return 0;
  console.warn(decimal(failures) + " of " + decimal(run.cases.size()) +
               " answers missing or invalid; --max-failures allows " + decimal(allowed));
  return exit_status(ErrorCode::too_many_failures);
}

}  // namespace fiducial::cli
