#include "curate_arguments.h"

#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/all_stages.h"

#include "failure_budget.h"
#include "planned_verb.h"

namespace fiducial::cli {

namespace {

std::string outcome_text(const std::string& output, const StageOutcome& outcome) {
  const Json* summary = outcome.manifest.find("summary");
  const std::string* told = summary == nullptr ? nullptr : find_string(*summary, "told");
  // A stage that makes something whole has no items, and says what it made.
  if (outcome.items == 0 && told != nullptr) return output + ": " + *told + "\n";
  std::string out = output + ": " + decimal(outcome.items) + " items";
  for (const auto& [status, count] : *outcome.manifest.find("statuses")->as_object()) {
    out += ", " + decimal(*count.as_integer()) + " " + status;
  }
  out += "\n";
  for (const auto& [code, count] : *outcome.manifest.find("codes")->as_object()) {
    out += "  " + code + "  " + decimal(*count.as_integer()) + "\n";
  }
  if (told != nullptr) out += "  " + *told + "\n";
  return out;
}

std::set<std::string> path_names(const Stage& stage) {
  std::set<std::string> out;
  for (const StageOption& input : stage.inputs) out.insert(input.name);
  for (const StageOption& option : stage.options) {
    if (option.is_path) out.insert(option.name);
  }
  return out;
}

std::string help_of(const StageOption& option) {
  std::string out = option.help;
  for (std::size_t i = 0; i < option.choices.size(); ++i) out += (i == 0 ? ": " : ", ") + option.choices[i];
  return option.fallback.empty() ? out : out + " (default: " + option.fallback + ")";
}

void define_option(Verb verb, const StageOption& option, bool is_input, CurateArguments& arguments) {
  const std::string name = is_input ? option.name : "--" + option.name;
  if (option.kind == StageOption::Kind::flag) {
    verb.add_flag(name, arguments.flags[option.name], option.help);
    return;
  }
  const DeclaredOption defined = option.kind == StageOption::Kind::texts
                                     ? verb.add_option(name, arguments.several[option.name], help_of(option))
                                     : verb.add_option(name, arguments.single[option.name], help_of(option));
  defined->suggests(option.choices);
  if (option.required) defined->required();
}

}  // namespace

void CurateArguments::declare(Verb verb, const Stage& declared) {
  stage = &declared;
  for (const StageOption& input : declared.inputs) define_option(verb, input, true, *this);
  verb.add_option("--mode", mode, "strict, or official: as the published script does, quirks included")
      ->one_of({"strict", "official"})
      ->capture_default_str();
  for (const StageOption& option : declared.options) define_option(verb, option, false, *this);
  if (declared.draws) {
    verb.add_option("--seed", seed,
                    declared.default_seed
                        ? "Seed of the draws (default: " + decimal(*declared.default_seed) + ")"
                        : "Seed of the draws; mandatory in strict mode")
        ->each([this](const std::string&) { has_seed = true; });
  }
  if (declared.asks) {
    verb.add_option("--replay", replay, "JSONL of replies, keyed by the hash of the request");
    verb.add_option("--model", model, "Model the replies are of; part of every request");
  }
  verb.add_option("--max-failures", max_failures, "Items that may fail: a count, or a share such as 5%")
      ->capture_default_str();
}

Json CurateArguments::json() const {
  const std::set<std::string> paths = path_names(*stage);
  const auto kept = [&paths](const std::string& name, const std::string& value) {
    return paths.contains(name) ? absolute_text(value) : value;
  };
  Json values = Json::object({});
  Json as_typed = Json::object({});
  for (const auto& [name, given] : request().values) {
    std::vector<std::string> texts;
    texts.reserve(given.size());
    for (const std::string& value : given) texts.push_back(kept(name, value));
    values.set(name, Json::strings(texts));
    if (texts != given) as_typed.set(name, Json::strings(given));
  }
  return Json::object({{"stage", stage->name},
                       {"mode", mode},
                       {"seed", has_seed ? Json(seed) : Json()},
                       {"values", std::move(values)},
                       {"typed", std::move(as_typed)},
                       {"replay", absolute_text(replay)},
                       {"model", model},
                       {"max_failures", max_failures}});
}

Result<CurateArguments> CurateArguments::parse(const Json& value) {
  CurateArguments out;
  FIDUCIAL_TRY(out.stage, find_stage(text_at(value, "stage")));
  out.mode = text_at(value, "mode");
  out.has_seed = number_at(value, "seed").has_value();
  out.seed = static_cast<std::uint64_t>(integer_at(value, "seed"));
  FIDUCIAL_TRY(const Json* values, required_field(value, "values", "/request"));
  FIDUCIAL_TRY(const Json::Object* named, expect_object(*values, "/request/values"));
  for (const auto& member : *named) out.several[member.first] = strings_at(*values, member.first);
  if (const Json::Object* typed = find_object(value, "typed")) {
    for (const auto& member : *typed) out.typed[member.first] = strings_of(member.second);
  }
  out.replay = text_at(value, "replay");
  out.model = text_at(value, "model");
  out.max_failures = text_at(value, "max_failures");
  return out;
}

std::vector<JobInput> CurateArguments::inputs() const {
  std::vector<JobInput> out;
  for (const auto& [name, values] : request().values) {
    if (!path_names(*stage).contains(name)) continue;
    for (const std::string& value : values) out.push_back({name, value});
  }
  if (!replay.empty()) out.push_back({"replay", replay});
  return out;
}

StageRequest CurateArguments::request() const {
  StageRequest out{.mode = mode == "strict" ? CurationMode::strict : CurationMode::official, .model = model};
  if (has_seed) out.seed = seed;
  if (!replay.empty()) out.replay = replay;
  out.typed = typed;
  for (const auto& [name, value] : single) {
    if (!value.empty()) out.values[name] = {value};
  }
  for (const auto& [name, values] : several) {
    if (!values.empty()) out.values[name] = values;
  }
  for (const auto& [name, is_set] : flags) {
    if (is_set) out.values[name] = {"true"};
  }
  return out;
}

Result<int> say_stage_outcome(const CurateArguments& arguments, const StageOutcome& outcome,
                              const StageSaying& saying, Console& console) {
  if (outcome.unused_replies > 0) {
    console.note(decimal(outcome.unused_replies) +
                 " replies answer nothing that is asked: they are of other items, words or models");
  }
  if (outcome.unanswered > 0) {
    console.note(decimal(outcome.unanswered) + " requests have no reply yet; they are in " +
                 outcome.requests.string() + ". Add their replies to the --replay file and run this again");
    return exit_status(ErrorCode::unfinished);
  }
  console.print(saying.json ? outcome.manifest.pretty() : outcome_text(saying.output, outcome));
  FIDUCIAL_TRY(const std::int64_t allowed,
               allowed_failures(arguments.max_failures, static_cast<std::size_t>(outcome.items)));
  if (outcome.failures <= allowed) return 0;
  return Error(ErrorCode::too_many_failures, decimal(outcome.failures) + " of " + decimal(outcome.items) +
                                                 " items failed; the status file says which and why");
}

}  // namespace fiducial::cli
