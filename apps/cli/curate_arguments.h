#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/curate/engine/stage.h"
#include "fiducial/jobs/input_state.h"

#include "console.h"
#include "verb.h"

namespace fiducial::cli {

// What 'fiducial curate STAGE' and 'fiducial plan curate STAGE' are asked for.
struct CurateArguments {
  const Stage* stage = nullptr;
  std::string mode = "strict";
  std::uint64_t seed = 0;
  bool has_seed = false;
  std::map<std::string, std::string> single;
  std::map<std::string, std::vector<std::string>> several;
  std::map<std::string, bool> flags;
  std::string replay;
  std::string model;
  std::string max_failures = "0";
  std::map<std::string, std::vector<std::string>> typed;  // of a plan: paths as they were given

  void declare(Verb verb, const Stage& declared);
  StageRequest request() const;

  // For a plan: with paths that lead there from anywhere, and back.
  Json json() const;
  static Result<CurateArguments> parse(const Json& value);
  std::vector<JobInput> inputs() const;
};

// Where an outcome went, and how it is said.
struct StageSaying {
  std::string output;
  bool json = false;
};
// Says what came of a stage; returns the exit status.
Result<int> say_stage_outcome(const CurateArguments& arguments, const StageOutcome& outcome,
                              const StageSaying& saying, Console& console);

}  // namespace fiducial::cli
