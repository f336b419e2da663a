#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// What a container that evaluates a phase on grand-challenge.org finds below /input: predictions.json lists
// the jobs of an algorithm, one a case, and each left its outputs in a folder of its own.

// A job, and what it made of which case.
struct ChallengeJob {
  std::string id;
  std::string case_name;  // as its first input names it, without the ending of an image
  bool succeeded = true;
  std::string output_path;  // below the job's output folder: a folder with one image, or a .json file

  bool gives_values() const { return output_path.ends_with(".json"); }
};

// Reads the list. Refuses jobs that name no case or no output, two jobs of one case, names that lead out of
// the folder, and lists in which some jobs give images and others values.
Result<std::vector<ChallengeJob>> parse_challenge_jobs(const Json& document);

struct ChallengePredictions {
  Path path;  // what `fiducial score` takes: a folder of masks, or predictions.jsonl
  std::int64_t jobs = 0;
  std::int64_t failed = 0;  // on their own machine: their cases are missing
};

// Puts what the jobs left into a folder in the form that is scored: masks under the names of the cases,
// whatever format they have, or a line of answers a case.
Result<ChallengePredictions> gather_challenge_predictions(const Path& input, const Path& folder);

// metrics.json for the challenge: `aggregates` with every headline value that is defined, by name, with _low
// and _high for the ends of its interval; `results` with what was told of single cases.
Json challenge_metrics(const Json& summary, Json results);

}  // namespace fiducial
