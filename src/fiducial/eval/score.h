#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/log.h"
#include "fiducial/base/progress.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/eval/outputs.h"
#include "fiducial/eval/shard.h"

namespace fiducial {

// What to score and how, as a user asks for it.
struct ScoreRequest {
  Path dataset;
  Path predictions;  // a folder or a flat zip
  Path output;
  std::optional<Path> volumes;
  std::optional<Path> ignored;        // masks of ignored regions, named like the predictions
  std::optional<Path> metadata;       // unset: the one *metadata*.csv of the volumes, else of the dataset
  std::vector<std::string> group_by;  // columns of it, see resolve_group_column
  // Whether findings of three entities or more may have others unmarked; unset: in splits named "train...".
  std::optional<bool> partial_labels;
  double tolerance_mm = 1;
  std::optional<std::string> split;
  std::optional<std::string> system;  // default: the name of the predictions
  std::vector<std::string> metrics{"dice", "hit", "instances"};
  ScoreMode mode = ScoreMode::both;
  InstanceRules official_rules;
  std::optional<Path> conformance;  // a record of `fiducial conform`
  bool global_only = false;
  std::uint64_t seed = 0;
  bool overwrite = false;
  bool resumable = false;         // keep a journal beside the output until the run is done
  std::optional<Shard> shard;     // score only this part of the cases
  std::optional<ScorePlan> plan;  // carry out this plan instead of resolving the options above
};

// The plan that carries out a request on a dataset of a benchmark.
Result<ScorePlan> resolve_plan(const ScoreRequest& request, const std::string& benchmark,
                               const GroundedDataset& dataset);

// The cases of a split in the order of every output; an error where it has none.
Result<std::vector<GroundedCase>> cases_by_name(const GroundedDataset& dataset, const std::string& split);

// The metadata that a request means: the file it names, or the only one there is. Several are bad usage, none
// is invalid data. Refuses a table in which a volume has two rows.
Result<VolumeMetadata> read_metadata(const ScoreRequest& request);

// Whether the output may be written where it is asked for; worth knowing before hours of scoring.
Outcome check_output(const ScoreRequest& request);

// Scores every case of a split. The order of cases and every number are the same on any number of threads.
Result<ScoredRun> score_run(const ScoreRequest& request, const Executor& executor, Progress& progress);

// Removes the journal of an output that is whole but for its name. Before that is given, not after: a run
// that is killed in between begins anew, instead of finding its own output in the way.
void forget_journal(const Path& output);

// A file to be written, with its name in the folder.
struct NamedText {
  std::string name;
  std::string text;
};

// Where and how the scores of a run are written.
struct ScoreOutput {
  Path folder;
  bool overwrite = false;
  bool is_private = false;  // nothing about single cases: no rows.parquet, no rexrank.json, no names
  // More files for the folder, made from the summary that is written.
  std::function<Result<std::vector<NamedText>>(const Json& summary)> more;
};

// Adds the further files of an output to its folder and publishes it.
Outcome finish_scores(StagedFolder& folder, const ScoreOutput& output, const Json& summary);

// Writes summary.json, rows.parquet, plan.json and, where official rules were applied, rexrank.json: the
// whole folder appears at once. Returns the summary.
Result<Json> write_scores(const ScoredRun& run, const ScoreOutput& output);
Result<Json> write_scores(const ScoredRun& run, const Path& output, bool overwrite);

}  // namespace fiducial
