#include "fiducial/eval/folder/verification.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/scratch_folder.h"
#include "fiducial/eval/outputs/write_scores.h"

namespace fiducial {

namespace {

bool is_first_version(const Json& plan) { return text_at(plan, "schema") == "fiducial.plan/1"; }

Result<OptionValues> recorded_options(const Json& plan) {
  OptionValues out;
  FIDUCIAL_TRY(const Json* options, required_field(plan, "options", ""));
  FIDUCIAL_TRY(const Json::Object* entries, expect_object(*options, "/options"));
  for (const auto& [name, values] : *entries) {
    FIDUCIAL_TRY(const Json::Array* words, expect_array(values, "/options/" + name));
    for (const Json& word : *words) {
      FIDUCIAL_TRY(out[name].emplace_back(), expect_string(word, "/options/" + name));
    }
  }
  return out;
}

// The options a plan was made by, with those that have places of their own in it.
Result<OptionValues> planned_options(const Task& task, const Json& plan) {
  OptionValues out;
  if (is_first_version(plan)) {
    out = task.options_of_first_plans(plan);
  } else {
    FIDUCIAL_TRY(out, recorded_options(plan));
  }
  for (const char* key : {"split", "system"}) {
    FIDUCIAL_TRY(const Json* value, required_field(plan, key, ""));
    FIDUCIAL_TRY(const std::string text, expect_string(*value, std::string("/") + key));
    out[key] = {text};
  }
  for (const char* key : {"seed", "resamples"}) {
    FIDUCIAL_TRY(const Json* value, required_field(plan, key, ""));
    FIDUCIAL_TRY(const std::int64_t number, expect_integer(*value, std::string("/") + key));
    out[key] = {decimal(number)};
  }
  if (task.has_official) out["mode"] = {text_at(plan, "mode")};
  return out;
}

// Options that named files when the scores were made: "volumes", "baseline blind".
std::set<std::string> planned_paths(const Json& plan) {
  std::set<std::string> out;
  for (const std::string& name : strings_at(plan, "given_paths")) out.insert(name);
  if (const Json* inputs = plan.find("inputs"); inputs != nullptr && inputs->as_array() != nullptr) {
    for (const Json& each : *inputs->as_array()) {
      const std::string name = text_at(each, "name");
      out.insert(text_at(each, "role") + (name.empty() ? "" : " " + name));
    }
  }
  if (const Json* rules = plan.find("mask_rules"); rules != nullptr && is_first_version(plan)) {
    const Json* volumes = rules->find("volumes");
    if (volumes != nullptr && volumes->as_bool() != nullptr && *volumes->as_bool()) out.insert("volumes");
  }
  if (plan.find("ignores_regions") != nullptr) out.insert("ignore");
  // A record of conformance and the table of groups are found or known without being named again.
  for (const char* name : {"conformance", "metadata"}) out.erase(name);
  return out;
}

std::set<std::string> given_paths(const Task& task, const TaskRequest& inputs) {
  std::set<std::string> out;
  for (const TaskOption& option : options_of(task)) {
    const auto found = inputs.values.find(option.name);
    if (found == inputs.values.end()) continue;
    if (option.kind == TaskOption::Kind::path) out.insert(option.name);
    if (option.kind != TaskOption::Kind::named_paths) continue;
    for (const std::string& value : found->second)
      out.insert(option.name + " " + value.substr(0, value.find('=')));
  }
  for (const char* name : {"conformance", "metadata"}) out.erase(name);
  return out;
}

// Files without which the same numbers cannot come out must be given; those the scores were not made with
// must not.
Outcome check_given(const Task& task, const Json& plan, const TaskRequest& inputs) {
  const std::set<std::string> planned = planned_paths(plan);
  const std::set<std::string> given = given_paths(task, inputs);
  std::vector<std::string> missing, foreign;
  std::set_difference(planned.begin(), planned.end(), given.begin(), given.end(),
                      std::back_inserter(missing));
  std::set_difference(given.begin(), given.end(), planned.begin(), planned.end(),
                      std::back_inserter(foreign));
  // Plans of the first version do not tell of volumes where masks of findings were scored.
  if (is_first_version(plan)) std::erase(foreign, "volumes");
  if (!missing.empty())
    return bad_usage("the scores were made with --" + joined(missing, ", --") + ": name it again");
  if (!foreign.empty()) return bad_usage("the scores were made without --" + joined(foreign, ", --"));
  return done();
}

// Every hash of a plan with what it is of, in the order of the plan.
class Hashes {
 public:
  std::string& operator[](const std::string& name) {
    for (auto& [known, digest] : entries_) {
      if (known == name) return digest;
    }
    return entries_.emplace_back(name, "").second;
  }
  std::string find(const std::string& name) const {
    for (const auto& [known, digest] : entries_) {
      if (known == name) return digest;
    }
    return "";
  }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

void add_files(const Json& plan, const char* key, const std::string& prefix, Hashes& out) {
  const Json* list = plan.find(key);
  if (list == nullptr || list->as_array() == nullptr) return;
  for (const Json& file : *list->as_array()) out[prefix + text_at(file, "file")] = text_at(file, "sha256");
}

std::string input_name(const Json& input) {
  const std::string role = text_at(input, "role");
  const std::string name = text_at(input, "name");
  const std::string file = text_at(input, "file");
  return role + (name.empty() ? "" : " " + name) + (file == role ? "" : " " + file);
}

Hashes hashes_of(const Json& plan) {
  Hashes out;
  const bool has_lists = plan.find("dataset_files") != nullptr || plan.find("prediction_files") != nullptr;
  if (const Json* dataset = plan.find("dataset"); dataset != nullptr && !has_lists)
    out[text_at(*dataset, "file")] = text_at(*dataset, "sha256");
  if (const Json* predictions = plan.find("predictions"); predictions != nullptr && !has_lists)
    out["predictions"] = text_at(*predictions, "sha256");
  add_files(plan, "dataset_files", "", out);
  add_files(plan, "prediction_files", "prediction ", out);
  if (const Json* metadata = plan.find("metadata"))
    out["metadata " + text_at(*metadata, "file")] = text_at(*metadata, "sha256");
  if (const Json* inputs = plan.find("inputs"); inputs != nullptr && inputs->as_array() != nullptr) {
    for (const Json& each : *inputs->as_array()) out[input_name(each)] = text_at(each, "sha256");
  }
  const Json* files = plan.find("files");
  if (files == nullptr || files->as_array() == nullptr) return out;
  for (const Json& each : *files->as_array()) {
    const std::string name = text_at(each, "case");
    std::string reference = text_at(each, "reference");
    // The first version called the organs that grounded reports are held against masks, too.
    if (is_first_version(plan) && plan.find("task") != nullptr) reference = "organs";
    const bool is_file = reference.find('.') != std::string::npos;
    out[is_file ? reference : reference + " of " + name] = text_at(each, "reference_sha256");
    out[(is_file ? "prediction " : "predicted " + reference + " of ") + name] =
        text_at(each, "prediction_sha256");
  }
  return out;
}

void compare_hashes(const Json& before, const Json& now, Verification& out) {
  const Hashes recorded = hashes_of(before);
  const Hashes found = hashes_of(now);
  for (const auto& [name, digest] : recorded) {
    ++out.files_compared;
    const std::string is = found.find(name);
    if (is == digest) continue;
    if (is.empty()) {
      out.changed_inputs.push_back(name + ": missing or unreadable, was sha256 " + digest);
    } else if (digest.empty()) {
      out.changed_inputs.push_back(name + ": was missing or unreadable, is sha256 " + is);
    } else {
      out.changed_inputs.push_back(name + ": sha256 " + is + ", was " + digest);
    }
  }
}

// The plan's name of a file that may have another name by now.
void take_names(const Json& plan, ScoreRun& run) {
  const Json* predictions = plan.find("predictions");
  if (run.predictions && predictions != nullptr) run.predictions->name = text_at(*predictions, "file");
  const Json* inputs = plan.find("inputs");
  if (inputs == nullptr || inputs->as_array() == nullptr) return;
  for (InputFile& input : run.inputs) {
    for (const Json& each : *inputs->as_array()) {
      if (text_at(each, "role") == input.role && text_at(each, "name") == input.name)
        input.file = text_at(each, "file");
    }
  }
}

// The slot of a metric: under its old name, or wherever its contract is kept.
const Json* find_slot(const Json& slots, const std::string& name, const std::string& metric) {
  const Json* same = slots.find(name);
  if (same != nullptr && text_at(*same, "metric") == metric) return same;
  for (const auto& [slot, entry] : *slots.as_object()) {
    if (text_at(entry, "metric") == metric) return &entry;
  }
  return nullptr;
}

// Whether every value stands there again, however its interval was made. Objects of objects are groups.
bool has_same_values(const Json& before, const Json& now) {
  if (before.as_object() == nullptr || now.as_object() == nullptr) return before.compact() == now.compact();
  for (const auto& [name, entry] : *before.as_object()) {
    const std::string metric = text_at(entry, "metric");
    const Json* again = metric.empty() ? now.find(name) : find_slot(now, name, metric);
    if (again == nullptr) return false;
    if (metric.empty()) {
      if (!has_same_values(entry, *again)) return false;
      continue;
    }
    for (const char* field : {"value", "n", "n_undefined", "n_failed"}) {
      const Json* one = entry.find(field);
      const Json* two = again->find(field);
      if (one == nullptr || two == nullptr || one->compact() != two->compact()) return false;
    }
  }
  return true;
}

// Files of an earlier version of ours say the same in other bytes: what they say is compared.
bool is_same_text(const std::string& name, bool is_first, const std::string& before, const std::string& now) {
  if (before == now) return true;
  if (!is_first || name != "summary.json") return false;
  const Result<Json> a = parse_json(before);
  const Result<Json> b = parse_json(now);
  if (!a.ok() || !b.ok()) return false;
  for (const char* part : {"metrics", "official", "groups", "official_groups", "counts"}) {
    const Json* one = a->find(part);
    const Json* two = b->find(part);
    if ((one == nullptr) != (two == nullptr)) return false;
    if (one != nullptr && !has_same_values(*one, *two)) return false;
  }
  return true;
}

Outcome compare_outputs(const Path& scores, const Path& again, bool is_first, Verification& out) {
  for (const char* name :
       {"plan.json", "summary.json", "rows.parquet", "rexrank.json", "steps.parquet", "sentences.parquet"}) {
    const bool before = is_there(scores / name);
    const bool now = is_there(again / name);
    const std::string file = name;
    // Plans and rows of the first version have another form: their hashes and values are compared elsewhere.
    if ((!before && !now) || (is_first && (file == "plan.json" || file == "rows.parquet"))) continue;
    ++out.files_compared;
    if (before != now) {
      out.changed_outputs.push_back(file + (before ? ": would not be written" : ": is missing"));
      continue;
    }
    FIDUCIAL_TRY(const std::string old_text, read_text_file(scores / name));
    FIDUCIAL_TRY(const std::string new_text, read_text_file(again / name));
    if (is_same_text(file, is_first, old_text, new_text)) continue;
    out.changed_outputs.push_back(file + ": sha256 " + sha256(as_bytes(old_text)).hex() +
                                  ", a new run gives " + sha256(as_bytes(new_text)).hex());
  }
  return done();
}

std::optional<int> min_group_of(const Json& plan, const Path& scores) {
  const Json* is_private = plan.find("private");
  const Json* least = is_private == nullptr ? nullptr : is_private->find("min_group");
  if (least != nullptr && least->as_integer() != nullptr) return static_cast<int>(*least->as_integer());
  if (is_first_version(plan) && !is_there(scores / "rows.parquet")) return usual_min_group;
  return std::nullopt;
}

}  // namespace

Json Verification::json() const {
  return Json::object({{"schema", "fiducial.verification/1"},
                       {"agrees", agrees()},
                       {"files_compared", files_compared},
                       {"changed_inputs", Json::strings(changed_inputs)},
                       {"changed_outputs", Json::strings(changed_outputs)}});
}

Result<Json> read_plan(const Path& scores) {
  const Path path = scores / score_folder_marker;
  FIDUCIAL_TRY(const std::string text, read_text_file(path));
  return parse_json(text).in_file(path.string());
}

Result<Verification> verify_scores(const Path& scores, const Task& task, const TaskRequest& inputs,
                                   const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const Json plan, read_plan(scores));
  FIDUCIAL_TRY_DONE(check_given(task, plan, inputs));
  TaskRequest request = inputs;
  FIDUCIAL_TRY(request.values, planned_options(task, plan).in_file((scores / score_folder_marker).string()));
  for (const auto& [name, values] : inputs.values) request.values[name] = values;
  FIDUCIAL_TRY(ScoreRun run, score_task(task, request, executor, progress));
  take_names(plan, run);
  const std::optional<int> min_group = min_group_of(plan, scores);
  Verification out;
  if (!min_group) compare_hashes(plan, plan_json(run), out);
  if (!out.changed_inputs.empty()) return out;
  FIDUCIAL_TRY(const ScratchFolder scratch, ScratchFolder::make());
  const ScoreOutput output{.folder = scratch.path(),
                           .overwrite = true,
                           .is_private = min_group.has_value(),
                           .min_group = min_group.value_or(usual_min_group),
                           .more = {}};
  FIDUCIAL_TRY_DONE(write_scores(run, output, executor));
  FIDUCIAL_TRY_DONE(compare_outputs(scores, scratch.path(), is_first_version(plan), out));
  return out;
}

}  // namespace fiducial
