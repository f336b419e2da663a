#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/output_lock.h"
#include "fiducial/eval/run/aggregate.h"
#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// The file that a folder of scores is known by.
inline constexpr const char* score_folder_marker = "plan.json";

// A file to be written, with its name in the folder.
struct NamedText {
  std::string name;
  std::string text;
};

// Values of fewer patients would tell about single ones.
inline constexpr int usual_min_group = 20;

// Where and how the scores of a run are written.
struct ScoreOutput {
  Path folder;
  bool overwrite = false;
  bool is_private = false;  // nothing about single cases, and nothing about few patients
  int min_group = usual_min_group;
  // Where the output is locked: let go as soon as the folder is whole but for its name, which is given to one
  // run only.
  std::shared_ptr<OutputLock> lock;
  // More files for the folder, made from what is told of the run and the summary that is written.
  std::function<Result<std::vector<NamedText>>(const ScoreRun& told, const Json& summary)> more;
};

// The resolved plan with the hashes of all it was applied to.
Json plan_json(const ScoreRun& run);

// Headline values, groups, counts and where they come from; plan_digest is the hash of the plan's text.
Json summary_json(const ScoreRun& run, const PooledRun& pooled, const Digest& plan_digest);

// One row for every unit and column, some at a time; how slots are made of them stands in the metadata. There
// is one batch at least.
Outcome visit_rows(const ScoreRun& run, const std::function<Outcome(const Table&)>& take);
Outcome write_rows(const ScoreRun& run, const Path& path);

// Whether the output may be written where it is asked for; worth knowing before hours of scoring.
Outcome check_output(const Path& folder, bool overwrite);

// Writes summary.json, plan.json and, unless private, rows.parquet and the run's details: the whole folder
// appears at once. Returns the summary.
Result<Json> write_scores(const ScoreRun& run, const ScoreOutput& output, const Executor& executor);

}  // namespace fiducial
