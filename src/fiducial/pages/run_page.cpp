#include "fiducial/pages/run_page.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/shared_sections.h"
#include "fiducial/pages/task_page.h"
#include "fiducial/tasks/all_tasks.h"

namespace fiducial {

namespace {

struct OwnPage {
  const char* task;
  Result<TaskPage> (*page)(const RunPage&);
};
constexpr OwnPage own_pages[] = {
    {"finding_masks", finding_masks_page},       {"diagnosis", diagnosis_page},
    {"region_tables", region_tables_page},       {"organ_masks", organ_masks_page},
    {"grounded_reports", grounded_reports_page}, {"controls", controls_page}};

// What a task has that nobody wrote a page for: its first values.
TaskPage usual_page(const RunPage& page) {
  TaskPage out;
  const Json::Object* slots = find_object(page.summary, "metrics");
  for (std::size_t i = 0; slots != nullptr && i < slots->size(); ++i)
    out.tiles.emplace_back((*slots)[i].first);
  if (!out.tiles.empty()) out.groups.plots = {out.tiles.front()};
  out.groups.columns = out.groups.plots;
  return out;
}

Result<TaskPage> task_page(const RunPage& page) {
  for (const OwnPage& each : own_pages) {
    if (page.run.task == each.task) return each.page(page);
  }
  return usual_page(page);
}

// What a task scores, without how: the first words of its title.
std::string title_of(const std::string& id) {
  const Result<const Task*> task = find_task(id);
  if (!task.ok()) return id;
  return (*task)->title.substr(0, (*task)->title.find_first_of(":,"));
}

// Parameters that the endpoint refused; the run is not the one that was asked for.
Html dropped_verdict(const Json& summary) {
  const Json* asked = summary.find("asked");
  const Json::Object* dropped = asked == nullptr ? nullptr : find_object(*asked, "dropped_parameters");
  if (dropped == nullptr || dropped->empty()) return {};
  return verdict(false, "The model was asked without " + dropped->front().first,
                 "The endpoint refused " +
                     joined(*dropped, ", ", [](const Json::Member& member) { return member.first; }) + ".");
}

Html head_of(const RunPage& page, const TaskPage& own) {
  const Json& summary = page.summary;
  const std::string counts =
      own.counts.empty() ? counted(summary_count(summary, {"counts", "cases"}), "case", "cases") : own.counts;
  return fill("head", {{"kind", title_of(page.run.task)},
                       {"benchmark", summary_text(summary, {"benchmark"})},
                       {"split", summary_text(summary, {"split"})},
                       {"system", summary_text(summary, {"system"})},
                       {"counts", counts},
                       {"private", page.is_private() ? "private" : ""},
                       {"lead", own.lead},
                       {"verdicts", own.verdicts + dropped_verdict(summary)}});
}

}  // namespace

Result<std::string> run_page(const RunPage& page) {
  FIDUCIAL_TRY(TaskPage own, task_page(page));
  std::vector<PageSection> sections = std::move(own.before_values);
  sections.push_back(values_section(page.summary, own.values_note));
  sections.push_back(groups_section(page, own.groups));
  for (PageSection& section : own.after_groups) sections.push_back(std::move(section));
  sections.push_back(limits_section(own.limits));
  sections.push_back(remarks_section(page.summary));
  sections.push_back(reproduce_section(page));
  return whole_page(
      summary_text(page.summary, {"system"}) + " on " + summary_text(page.summary, {"benchmark"}),
      head_of(page, own), tiles_of(page.summary, own.tiles), sections);
}

ScoreOutput with_page(ScoreOutput output, const PageSources& sources) {
  output.more = [sources](const ScoreRun& told, const Json& summary) -> Result<std::vector<NamedText>> {
    FIDUCIAL_TRY(std::string page, run_page({told, summary, sources.dataset, sources.predictions,
                                             sources.volumes, sources.threads}));
    return std::vector<NamedText>{{"report.html", std::move(page)}};
  };
  return output;
}

}  // namespace fiducial
