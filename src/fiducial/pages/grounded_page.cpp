#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/task_page.h"
#include "fiducial/pages/unit_scores.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/tasks/grounded_reports/grounded_references.h"

namespace fiducial {

namespace {

constexpr std::size_t reports_shown = 4;

Html grounded_lead(const Json& summary) {
  const auto said = reported_value(summary.find("metrics"), "fact_f1");
  const auto shown = reported_value(summary.find("metrics"), "grounded_f1");
  if (!said || !shown || !said->value || !shown->value) return {};
  return Html::of_text("By its words alone the F1 of facts is ") + bold(fixed(*said->value, 3)) +
         Html::of_text("; where a fact also has to be shown in the right place, it is ") +
         bold(fixed(*shown->value, 3)) + Html::of_text(".");
}

Html reports_verdict(const Json& summary) {
  const std::int64_t missing = summary_count(summary, {"counts", "missing"});
  if (missing == 0) return verdict(true, "Every case has a report", "None is missing.");
  return verdict(false, counted(missing, "report is", "reports are") + " missing",
                 "They score 0 and stay in the denominator.");
}

// Whether what is said right is also shown right.
Html place_verdict(const Json& summary) {
  const auto said = reported_value(summary.find("metrics"), "fact_f1");
  const auto shown = reported_value(summary.find("metrics"), "grounded_f1");
  if (!said || !shown || !said->low || !shown->high) return {};
  const bool apart = *shown->high < *said->low;
  return verdict(!apart, apart ? "Right in words, not in place" : "No clear gap between words and places",
                 "A fact counts as shown where its mask or region meets that of the reference.");
}

Html sentences_of(const std::vector<GroundedSentence>& sentences) {
  Html items;
  for (const GroundedSentence& each : sentences) {
    std::string places = joined(each.regions, ", ");
    if (each.channel) append_joined(places, "mask " + decimal(*each.channel));
    items += fill("sentence", {{"text", each.text}, {"places", places}});
  }
  return items.empty() ? fill("nothing", {{"text", "no sentence"}}) : fill("sentences", {{"items", items}});
}

// Units from the lowest value up.
std::vector<std::size_t> weakest_units(const ScoreRun& run, const ScoreColumn& column) {
  std::vector<std::size_t> out;
  for (std::size_t unit = 0; unit < run.units.size(); ++unit) {
    if (unit_value(column, unit) && is_scored(run, column, unit)) out.push_back(unit);
  }
  std::stable_sort(out.begin(), out.end(), [&column](std::size_t a, std::size_t b) {
    return *unit_value(column, a) < *unit_value(column, b);
  });
  out.resize(std::min(out.size(), reports_shown));
  return out;
}

// The references of the run's split, as the task reads them.
Result<ReferenceReports> references_of(const RunPage& page) {
  FIDUCIAL_TRY(const Task* task, find_task(page.run.task));
  const Executor executor(1);
  SilentProgress progress;
  const TaskRequest request{.dataset = page.dataset,
                            .predictions = page.predictions,
                            .values = {{"split", {page.run.split}}},
                            .journal = std::nullopt,
                            .shard = std::nullopt};
  FIDUCIAL_TRY(const TaskCall call, TaskCall::begin(*task, request, executor, progress));
  return read_references(call);
}

Result<PageSection> reports_section(const RunPage& page) {
  PageSection out{
      "reports",
      "Reports to look at",
      Html::of_text("Those with the lowest F1 of grounded facts, sentence by sentence, with the regions or "
                    "the channel of the mask that each names. Where the words agree and the value is low, "
                    "the places differ."),
      {}};
  const ScoreColumn* column = column_of(page.run, "grounded_f1");
  if (column == nullptr) column = column_of(page.run, "fact_f1");
  if (page.is_private() || column == nullptr) return out;
  FIDUCIAL_TRY(const ReferenceReports references, references_of(page));
  FIDUCIAL_TRY(const PredictionFiles files, PredictionFiles::open(page.predictions));
  FIDUCIAL_TRY(StoredFile file, files.open_file(grounded_reports_file));
  FIDUCIAL_TRY(const GroundedReports reports, read_grounded_reports(std::move(file)));
  for (const std::size_t unit : weakest_units(page.run, *column)) {
    const std::string& name = page.run.cases[page.run.units[unit].at].name;
    const auto wanted = std::find_if(references.reports.begin(), references.reports.end(),
                                     [&name](const ReferenceReport& each) { return each.name == name; });
    const auto said = reports.by_case.find(name);
    if (wanted == references.reports.end() || said == reports.by_case.end()) continue;
    out.body += fill("example", {{"question", name},
                                 {"where", page.run.split},
                                 {"score", fixed(*unit_value(*column, unit), 3)},
                                 {"score_name", column->contract->title},
                                 {"reference", sentences_of(wanted->sentences)},
                                 {"prediction", sentences_of(said->second)},
                                 {"remark", ""}});
  }
  return out;
}

}  // namespace

Result<TaskPage> grounded_reports_page(const RunPage& page) {
  const Json& summary = page.summary;
  TaskPage out{
      .lead = grounded_lead(summary),
      .verdicts = reports_verdict(summary) + place_verdict(summary),
      .tiles = {"grounded_f1", "fact_f1", "region_alignment", "matched_fact_dice"},
      .groups = {.plots = {"grounded_f1"}, .columns = {"fact_f1", "grounded_f1"}, .kinds = {"category"}},
      .limits = {"Facts are read by rules from both texts: a fact that the rules do not know is scored for "
                 "nobody.",
                 "What a report does not mention is not known to be absent."}};
  out.values_note = Html::of_text("A missing report scores 0. Intervals are 95 %, resampled over patients.");
  FIDUCIAL_TRY(out.after_groups.emplace_back(), reports_section(page));
  return out;
}

}  // namespace fiducial
