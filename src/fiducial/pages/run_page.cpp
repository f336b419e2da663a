#include "fiducial/pages/run_page.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/pages/task_page.h"
#include "fiducial/pages/task_pages.h"

namespace fiducial {

namespace {

// A page for each task that has one of its own; every other gets the page that all have in common.
struct TaskPage {
  const char* task;
  Result<std::string> (*page)(const RunPage&);
};
constexpr TaskPage own_pages[] = {{"finding_masks", finding_masks_page}, {"diagnosis", diagnosis_page}};

}  // namespace

std::vector<std::string> command_of(const ScoreRun& run, bool has_volumes) {
  const std::string predictions = run.predictions ? run.predictions->name : "predictions/";
  std::vector<std::string> out{"fiducial", "score", run.benchmark + "/", predictions, "-o", "scores/"};
  const auto add = [&out](const std::string& option, const std::string& value) {
    out.insert(out.end(), {option, value});
  };
  add("--task", run.task);
  if (has_volumes) add("--volumes", "volumes/");
  add("--split", run.split);
  add("--system", run.system);
  if (!run.official_note.empty() || run.mode != ScoreMode::strict)
    add("--mode", std::string(to_string(run.mode)));
  add("--seed", decimal(run.seed));
  add("--resamples", decimal(run.resamples));
  for (const auto& [name, values] : run.options) {
    if (name == "conformance") continue;  // named with the rules
    if (values == std::vector<std::string>{"true"}) {
      out.push_back("--" + name);
    } else {
      add("--" + name, joined(values, ","));
    }
  }
  for (const InputFile& input : run.inputs)
    add("--" + input.role, (input.name.empty() ? "" : input.name + "=") + input.file);
  if (run.rules.find("ignores_regions") != nullptr) add("--ignore", "ignored/");
  if (run.rules.find("conformance") != nullptr) add("--conformance", "conformance.json");
  if (run.min_group) {
    out.emplace_back("--private");
    if (*run.min_group != usual_min_group) add("--min-group", decimal(*run.min_group));
  }
  return out;
}

Result<std::string> run_page(const RunPage& page) {
  for (const TaskPage& each : own_pages) {
    if (page.run.task == each.task) return each.page(page);
  }
  return task_page({.summary = page.summary,
                    .command = command_of(page.run, page.volumes.has_value()),
                    .is_private = page.is_private()});
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
