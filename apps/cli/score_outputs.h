#pragma once

#include <string>

#include "fiducial/eval/run/score_run.h"

#include "console.h"

namespace fiducial::cli {

// Says what is odd about a run; for runs that are not private, as it names cases.
void say_remarks(const ScoreRun& run, Console& console);

// The card shows the groups that were asked for; the summary has all of them anyway.
std::string card_of(Json summary, const OptionValues& values, std::size_t width);

// A status by how many cases or questions failed.
Result<int> status_by_failures(const std::string& max_failures, const ScoreRun& run, Console& console);

// Says where scores were written, which page to open and what to type next.
void say_score_outputs(const std::string& folder, Console& console);

}  // namespace fiducial::cli
