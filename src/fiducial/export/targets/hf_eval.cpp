#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/export/export_target.h"

namespace fiducial {

namespace {

// What the results of a run say of it in every entry.
struct EvaluatedRun {
  Json summary;
  std::string mode;
};

Result<EvaluatedRun> read_run(const Path& folder) {
  const Path file = folder / "summary.json";
  if (!is_file(file))
    return path_missing("no summary.json; expected a folder of 'fiducial score'", folder.string());
  FIDUCIAL_TRY(const std::string text, read_text_file(file));
  FIDUCIAL_TRY(Json summary, parse_json(text).in_file(file.string()));
  if (text_at(summary, "schema") != "fiducial.scores/1" || find_object(summary, "metrics") == nullptr)
    return Error(ErrorCode::invalid_data, "expected scores of schema fiducial.scores/1",
                 Place{.path = file.string()});
  std::string mode = text_at(summary, "mode");
  return EvaluatedRun{std::move(summary), std::move(mode)};
}

// ORGANISATION/NAME, as the Hub names datasets.
bool is_dataset_id(const std::string& id) {
  const std::size_t slash = id.find('/');
  return slash != std::string::npos && slash > 0 && slash + 1 < id.size() &&
         id.find('/', slash + 1) == std::string::npos && id.find_first_of(" \t\n\"'") == std::string::npos;
}

// JSON's texts are YAML's.
std::string quoted(const std::string& text) { return Json(text).compact(); }

std::string notes_of(const EvaluatedRun& run, const std::string& slot, const Json& value) {
  const Json* provenance = run.summary.find("provenance");
  const std::string version = provenance == nullptr ? "" : text_at(*provenance, "tool_version");
  return "fiducial" + (version.empty() ? "" : " " + version) + ", " + slot + " by " +
         text_at(value, "metric") + " v" + decimal(integer_at(value, "version")) + ", " + run.mode +
         " rules, split " + text_at(run.summary, "split") + ", " + decimal(integer_at(value, "n")) + " " +
         text_at(value, "counted");
}

std::vector<std::string> slots_of(const ExportCall& call, const Json::Object& metrics) {
  std::vector<std::string> out = call.texts("metric");
  for (const auto& [name, value] : metrics) {
    if (out.empty() && number_at(value, "value")) out.push_back(name);
  }
  return out;
}

Result<std::string> entry_text(const ExportCall& call, const EvaluatedRun& run, const std::string& slot) {
  const Json* value = run.summary.find("metrics")->find(slot);
  if (value == nullptr) {
    std::vector<std::string> known;
    for (const auto& [name, unused] : *find_object(run.summary, "metrics")) known.push_back(name);
    return no_such_name("metric", slot, known, "--metric: ");
  }
  const auto number = number_at(*value, "value");
  if (!number)
    return Error(ErrorCode::invalid_data, slot + " has no value: " + text_at(*value, "reason"),
                 Place{.path = (call.request.dataset / "summary.json").string()});
  std::string out = "- dataset:\n    id: " + quoted(call.text("dataset-id")) +
                    "\n    task_id: " + quoted(call.has("task-id") ? call.text("task-id") : slot) + "\n";
  if (call.has("revision")) out += "    revision: " + quoted(call.text("revision")) + "\n";
  out += "  value: " + shortest(*number) + "\n";
  if (call.has("source-url")) {
    out += "  source:\n    url: " + quoted(call.text("source-url")) + "\n";
    if (call.has("source-name")) out += "    name: " + quoted(call.text("source-name")) + "\n";
  }
  return out + "  notes: " + quoted(notes_of(run, slot, *value)) + "\n";
}

Result<ExportOutcome> export_results(const ExportCall& call) {
  const std::string id = call.text("dataset-id");
  if (!is_dataset_id(id)) return bad_usage("--dataset-id: expected ORGANISATION/NAME, found \"" + id + "\"");
  if (call.has("source-name") && !call.has("source-url"))
    return bad_usage("--source-name needs --source-url");
  if (!call.request.overwrite && is_there(call.request.output))
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = call.request.output.string()});
  FIDUCIAL_TRY(const EvaluatedRun run, read_run(call.request.dataset));
  const std::vector<std::string> slots = slots_of(call, *find_object(run.summary, "metrics"));
  if (slots.size() > 1 && call.has("task-id"))
    return bad_usage("--task-id names one result, and there are " + decimal(slots.size()));
  std::string text;
  for (const std::string& slot : slots) {
    FIDUCIAL_TRY(const std::string entry, entry_text(call, run, slot));
    text += entry;
  }
  if (text.empty())
    return Error(ErrorCode::invalid_data, "no metric has a value",
                 Place{.path = (call.request.dataset / "summary.json").string()});
  FIDUCIAL_TRY_DONE(write_file(call.request.output, text));
  return ExportOutcome{.manifest = Json::object({{"dataset", id}, {"metrics", Json::strings(slots)}}),
                       .told = call.request.output.string() + ": " + joined(slots)};
}

}  // namespace

ExportTarget hf_eval_target() {
  return {.id = "hf-eval",
          .title = "scores as a model's repository on the Hub lists them (.eval_results/NAME.yaml)",
          .reads = "a folder of 'fiducial score'",
          .writes = "a YAML file",
          .options = {{.name = "dataset-id", .help = "The benchmark's dataset on the Hub: ORGANISATION/NAME"},
                      {.name = "metric",
                       .help = "Slot of the summary, any number of times (default: the first with a value)",
                       .kind = TaskOption::Kind::texts},
                      {.name = "task-id", .help = "Task of the benchmark (default: the slot)"},
                      {.name = "revision", .help = "Revision of the dataset that was scored"},
                      {.name = "source-url", .help = "Where the evaluation can be seen"},
                      {.name = "source-name", .help = "What that place is called"}},
          .run = export_results};
}

}  // namespace fiducial
