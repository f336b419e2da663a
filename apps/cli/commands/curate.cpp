#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/all_stages.h"

#include "command.h"
#include "failure_budget.h"

namespace fiducial::cli {

namespace {

// What was typed after the name of a stage.
struct CurateOptions {
  const Stage* stage = nullptr;
  std::string mode = "strict";
  std::uint64_t seed = 0;
  bool has_seed = false;
  std::map<std::string, std::string> single;
  std::map<std::string, std::vector<std::string>> several;
  std::map<std::string, bool> flags;
  std::string output;
  std::string replay;
  std::string model;
  std::string max_failures = "0";
  bool overwrite = false;
  bool json = false;
};

StageRequest request_of(const CurateOptions& options) {
  StageRequest request{.mode = options.mode == "strict" ? CurationMode::strict : CurationMode::official,
                       .output = options.output,
                       .overwrite = options.overwrite,
                       .model = options.model};
  if (options.has_seed) request.seed = options.seed;
  if (!options.replay.empty()) request.replay = options.replay;
  for (const auto& [name, value] : options.single) {
    if (!value.empty()) request.values[name] = {value};
  }
  for (const auto& [name, values] : options.several) {
    if (!values.empty()) request.values[name] = values;
  }
  for (const auto& [name, is_set] : options.flags) {
    if (is_set) request.values[name] = {"true"};
  }
  return request;
}

std::string outcome_text(const CurateOptions& options, const StageOutcome& outcome) {
  const Json* summary = outcome.manifest.find("summary");
  const std::string* told = summary == nullptr ? nullptr : find_string(*summary, "told");
  // A stage that makes something whole has no items, and says what it made.
  if (outcome.items == 0 && told != nullptr) return options.output + ": " + *told + "\n";
  std::string out = options.output + ": " + decimal(outcome.items) + " items";
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

Result<int> curate(const CurateOptions& options, Console& console) {
  install_stop_signals();
  FIDUCIAL_TRY(const StageOutcome outcome, run_stage(*options.stage, request_of(options), console));
  if (outcome.unused_replies > 0) {
    console.note(decimal(outcome.unused_replies) +
                 " replies answer nothing that is asked: they are of other items, words or models");
  }
  if (outcome.unanswered > 0) {
    console.note(decimal(outcome.unanswered) + " requests have no reply yet; they are in " +
                 outcome.requests.string() + ". Add their replies to the --replay file and run this again");
    return exit_status(ErrorCode::unfinished);
  }
  if (outcome.resumed > 0)
    console.note("went on after " + decimal(outcome.resumed) + " items of an earlier run");
  console.print(options.json ? outcome.manifest.pretty() : outcome_text(options, outcome));
  FIDUCIAL_TRY(const std::int64_t allowed,
               allowed_failures(options.max_failures, static_cast<std::size_t>(outcome.items)));
  if (outcome.failures <= allowed) return 0;
  console.note("error: " + decimal(outcome.failures) + " of " + decimal(outcome.items) +
               " items failed; the status file says which and why");
  return exit_status(ErrorCode::too_many_failures);
}

std::string help_of(const StageOption& option) {
  std::string out = option.help;
  for (std::size_t i = 0; i < option.choices.size(); ++i) out += (i == 0 ? ": " : ", ") + option.choices[i];
  return option.fallback.empty() ? out : out + " (default: " + option.fallback + ")";
}

void define_option(Verb verb, const StageOption& option, bool is_input, CurateOptions& options) {
  const std::string name = is_input ? option.name : "--" + option.name;
  if (option.kind == StageOption::Kind::flag) {
    verb.add_flag(name, options.flags[option.name], option.help);
    return;
  }
  const DeclaredOption defined = option.kind == StageOption::Kind::texts
                                     ? verb.add_option(name, options.several[option.name], help_of(option))
                                     : verb.add_option(name, options.single[option.name], help_of(option));
  defined->suggests(option.choices);
  if (option.required) defined->required();
}

void define_stage(Verb verb, const Stage& stage, CurateOptions& options) {
  options.stage = &stage;
  for (const StageOption& input : stage.inputs) define_option(verb, input, true, options);
  verb.add_option(
          "-o,--output", options.output,
          stage.writes_folder
              ? "Folder to write"
              : (stage.writes_file ? "File to write" : "File (.json, .jsonl, .csv, .txt) or folder to write"))
      ->required();
  verb.add_option("--mode", options.mode,
                  "strict, or official: as the published script does, quirks included")
      ->one_of({"strict", "official"})
      ->capture_default_str();
  for (const StageOption& option : stage.options) define_option(verb, option, false, options);
  if (stage.draws) {
    verb.add_option("--seed", options.seed,
                    stage.default_seed ? "Seed of the draws (default: " + decimal(*stage.default_seed) + ")"
                                       : "Seed of the draws; mandatory in strict mode")
        ->each([&options](const std::string&) { options.has_seed = true; });
  }
  if (stage.asks) {
    verb.add_option("--replay", options.replay, "JSONL of replies, keyed by the hash of the request");
    verb.add_option("--model", options.model, "Model the replies are of; part of every request");
  }
  verb.add_option("--max-failures", options.max_failures,
                  "Items that may fail: a count, or a share such as 5%")
      ->capture_default_str();
  verb.add_flag("--overwrite", options.overwrite, "Replace an earlier output");
  verb.add_flag("--json", options.json, "Print the manifest as JSON");
  verb.footer("Example:\n  " + stage.example);
  verb.heading("Stages");
}

}  // namespace

Command curate_command() {
  return {.name = "curate",
          .summary = "Build a benchmark, stage by stage",
          .example = "fiducial curate options cases.json -o pruned.json --seed 42",
          .define = [](Verb verb) -> CommandBody {
            auto chosen = std::make_shared<std::shared_ptr<CurateOptions>>();
            verb.require_subcommand();
            for (const Stage& stage : all_stages()) {
              auto options = std::make_shared<CurateOptions>();
              const Verb sub = verb.add_subcommand(stage.name, stage.summary);
              define_stage(sub, stage, *options);
              sub.callback([chosen, options] { *chosen = options; });
            }
            return [chosen](Console& console) { return curate(**chosen, console); };
          }};
}

}  // namespace fiducial::cli
