#include "fiducial/curate/engine/stage.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

namespace {

Outcome check_choice(const StageOption& option, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (option.kind == StageOption::Kind::integer && !parse_integer(value)) {
      return bad_usage("--" + option.name + ": expected an integer, found \"" + value + "\"");
    }
    if (option.choices.empty() ||
        std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end()) {
      continue;
    }
    std::string message = "--" + option.name + ": expected";
    for (const std::string& choice : option.choices) message += " " + choice + ",";
    return bad_usage(message + " found \"" + value + "\"" + did_you_mean(value, option.choices));
  }
  return done();
}

std::vector<std::string> names_of(const std::vector<StageOption>& options) {
  std::vector<std::string> out;
  out.reserve(options.size());
  for (const StageOption& option : options) out.push_back(option.name);
  return out;
}

}  // namespace

Result<StageRequest> resolved_request(const Stage& stage, StageRequest request) {
  std::vector<StageOption> known = stage.inputs;
  known.insert(known.end(), stage.options.begin(), stage.options.end());
  for (const auto& [name, values] : request.values) {
    const auto found = std::find_if(known.begin(), known.end(), [&wanted = name](const StageOption& option) {
      return option.name == wanted;
    });
    if (found == known.end())
      return no_such_name("option", name, names_of(known), "curate " + stage.name + ": ");
    FIDUCIAL_TRY_DONE(check_choice(*found, values));
  }
  for (const StageOption& option : known) {
    if (request.values.contains(option.name)) continue;
    if (option.required) return bad_usage("curate " + stage.name + ": " + option.name + " is missing");
    if (!option.fallback.empty()) request.values[option.name] = {option.fallback};
  }
  if (request.seed && !stage.draws)
    return bad_usage("curate " + stage.name + " is deterministic; --seed does not apply");
  if (request.replay && !stage.asks)
    return bad_usage("curate " + stage.name + " does not query a model; --replay does not apply");
  return request;
}

std::string_view to_string(CurationMode mode) { return mode == CurationMode::strict ? "strict" : "official"; }

Result<StageOutcome> run_stage(const Stage& stage, const StageRequest& request, Progress& progress) {
  FIDUCIAL_TRY(const StageRequest full, resolved_request(stage, request));
  FIDUCIAL_TRY(StageCall call, StageCall::begin(stage, full, progress));
  const Outcome outcome = stage.run(call);
  if (!outcome.ok()) {
    // A disk that is full today may have room tomorrow: the run goes on from where it was.
    if (outcome.error().code() == ErrorCode::io) call.keep();
    return outcome.error();
  }
  return call.finish();
}

}  // namespace fiducial
