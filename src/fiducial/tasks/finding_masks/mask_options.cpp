#include "fiducial/tasks/finding_masks/mask_options.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/tasks/finding_masks/conformance_record.h"

namespace fiducial {

namespace {

constexpr const char* strict_rules = "Strict rules";
constexpr const char* official_rules = "Rules of the published scorer";

constexpr Connectivity connectivities[] = {Connectivity::faces6, Connectivity::edges18,
                                           Connectivity::corners26};

std::optional<std::string> value_of(const OptionValues& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() || found->second.empty() ? std::nullopt
                                                         : std::optional(found->second.front());
}

// What options alone decide.
MaskPlan plan_of(const OptionValues& options, ScoreMode mode) {
  MaskPlan out{.mode = mode};
  out.global_only = value_of(options, "global-only").has_value();
  out.tolerance_mm = parse_double(value_of(options, "tolerance-mm").value_or("1")).value_or(1);
  out.official_rules.min_voxels = parse_integer(value_of(options, "min-size").value_or("10")).value_or(10);
  const auto place = parse_integer(value_of(options, "connectivity").value_or("2")).value_or(2);
  out.official_rules.connectivity = connectivities[std::clamp<std::int64_t>(place, 1, 3) - 1];
  return out;
}

std::vector<std::string> metrics_of(const OptionValues& options) {
  const auto found = options.find("metrics");
  return found == options.end() ? std::vector<std::string>{"dice", "hit", "instances"} : found->second;
}

const Json* at(const Json& value, const char* first, const char* second) {
  const Json* inner = value.find(first);
  return inner == nullptr ? nullptr : inner->find(second);
}

std::string group_word(const Json& column) {
  const Json* name = column.find("column");
  std::string out = name != nullptr && name->as_string() != nullptr ? *name->as_string() : "";
  const Json* edges = column.find("edges");
  if (edges == nullptr || edges->as_array() == nullptr) return out;
  for (const Json& edge : *edges->as_array()) out += ":" + shortest(edge.as_number().value_or(0));
  return out;
}

}  // namespace

std::vector<TaskOption> mask_options() {
  using Option = TaskOption::Kind;
  return {
      {.name = "volumes",
       .help = "Folder of the CT volumes (NIfTI files or DICOM folders): headers must agree with them, and "
               "millimetres come from them",
       .kind = Option::path,
       .heading = "What is scored"},
      {.name = "floor",
       .help =
           "Folder or flat zip of a baseline's masks, such as 'fiducial predict text-region' writes: what "
           "they score stands beside every value as its floor",
       .kind = Option::path,
       .heading = "What is scored"},
      {.name = "ignore",
       .help =
           "Folder of <case>.nii.gz masks (one for all findings or one each): unmatched components mostly "
           "inside them are not counted as false positives",
       .kind = Option::path,
       .heading = strict_rules},
      {.name = "tolerance-mm",
       .help = "How far apart surfaces may be and still agree",
       .kind = Option::number,
       .fallback = "1",
       .least = 0,
       .most = 1000,
       .heading = strict_rules},
      {.name = "labels",
       .help =
           "partial: references may omit lesions, so findings of three entities or more get recall but no "
           "precision; exhaustive: they omit none; auto: partial in splits named train...",
       .fallback = "auto",
       .choices = {"auto", "exhaustive", "partial"},
       .heading = strict_rules},
      {.name = "conformance",
       .help = "Record of 'fiducial conform': official values are then confirmed",
       .kind = Option::path,
       .heading = official_rules},
      {.name = "global-only",
       .help = "Dice of all voxels, no instances",
       .kind = Option::flag,
       .heading = official_rules},
      {.name = "min-size",
       .help = "Fewest voxels of a component",
       .kind = Option::integer,
       .fallback = "10",
       .least = 0,
       .most = 1099511627776.0,
       .heading = official_rules},
      {.name = "connectivity",
       .help = "Neighbours of a voxel: 1 (6), 2 (18) or 3 (26)",
       .kind = Option::integer,
       .fallback = "2",
       .least = 1,
       .most = 3,
       .heading = official_rules},
  };
}

Result<MaskPlan> mask_plan_of(const TaskCall& call, const std::string& split) {
  OptionValues options;
  for (const char* name : {"global-only", "tolerance-mm", "min-size", "connectivity", "metrics"}) {
    if (call.given(name)) options.emplace(name, call.texts(name));
  }
  MaskPlan out = plan_of(options, call.mode());
  out.ignores_regions = call.given("ignore");
  if (call.given("conformance") && out.wants(Scorer::official)) {
    // A plan records the hash that the record was about.
    const std::string given = call.text("conformance");
    if (parse_digest(given)) {
      out.conformance = given;
    } else {
      FIDUCIAL_TRY(out.conformance, confirmed_script(given));
    }
  }
  const std::string labels = call.text("labels");
  out.partial_labels =
      out.wants(Scorer::strict) && (labels == "partial" || (labels == "auto" && split.starts_with("train")));
  FIDUCIAL_TRY_DONE(select_metrics(out, metrics_of(options)));
  return out;
}

Result<MaskPlan> mask_plan_of(const ScoreRun& run) {
  MaskPlan out = plan_of(run.options, run.mode);
  out.ignores_regions = run.rules.find("ignores_regions") != nullptr;
  out.partial_labels = run.rules.find("labels") != nullptr;
  const Json* conformance = run.rules.find("conformance");
  if (conformance != nullptr && conformance->as_string() != nullptr)
    out.conformance = *conformance->as_string();
  FIDUCIAL_TRY_DONE(select_metrics(out, metrics_of(run.options)));
  return out;
}

OptionValues mask_options_of_first_plans(const Json& plan) {
  OptionValues out;
  if (const Json* metrics = plan.find("metrics"); metrics != nullptr && metrics->as_array() != nullptr) {
    for (const Json& metric : *metrics->as_array()) {
      const Json* contract = metric.find("contract");
      if (contract != nullptr && contract->as_string() != nullptr)
        out["metrics"].push_back(*contract->as_string());
    }
  }
  if (const Json* tolerance = plan.find("tolerance_mm"))
    out["tolerance-mm"] = {shortest(tolerance->as_number().value_or(1))};
  out["labels"] = {plan.find("labels") != nullptr ? "partial" : "exhaustive"};
  if (const Json* least = at(plan, "official", "min_voxels");
      least != nullptr && least->as_integer() != nullptr)
    out["min-size"] = {decimal(*least->as_integer())};
  if (const Json* number = at(plan, "official", "connectivity");
      number != nullptr && number->as_integer() != nullptr) {
    const std::int64_t neighbours = *number->as_integer();
    out["connectivity"] = {neighbours == 6 ? "1" : neighbours == 26 ? "3" : "2"};
  }
  if (const std::string hash = text_at(plan, "conformance"); !hash.empty()) out["conformance"] = {hash};
  const Json* global_only = at(plan, "official", "global_only");
  if (global_only != nullptr && global_only->as_bool() != nullptr && *global_only->as_bool())
    out["global-only"] = {"true"};
  if (const Json* columns = plan.find("group_by"); columns != nullptr && columns->as_array() != nullptr) {
    for (const Json& column : *columns->as_array()) out["group-by"].push_back(group_word(column));
  }
  return out;
}

}  // namespace fiducial
