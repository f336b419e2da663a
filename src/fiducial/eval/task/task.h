#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/progress.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/eval/run/score_run.h"
#include "fiducial/eval/task/case_part.h"
#include "fiducial/eval/task/shard.h"

namespace fiducial {

class TaskCall;

// Something a task is told, beside dataset and predictions.
struct TaskOption {
  enum class Kind {
    text,
    texts,    // a list
    integer,  // within least and most
    number,
    numbers,
    flag,
    path,        // a file or folder: the plan records its hash where the task reads it, never where it lies
    named_paths  // NAME=FILE, any number
  };

  std::string name;  // "tolerance-mm", as typed behind --
  std::string help;
  Kind kind = Kind::text;
  std::string fallback;              // taken where none is given
  std::vector<std::string> choices;  // empty: anything
  double least = -1e300;
  double most = 1e300;
  std::string heading;      // under which --help shows it
  bool is_recorded = true;  // the plan holds its value, where it names no file
};

// A case of a task, and where what is read of it lies. What is part of an archive has no file of its own.
struct TaskCase {
  struct File {
    std::string role;  // "dataset", "predictions", or the option that names the folder
    Path path;
  };
  std::string name;
  std::vector<File> files;
};

// A way to score predictions for a benchmark: a folder below tasks/, one line in all_tasks.def. Command,
// Python, verify, shards, private outputs and pages read this declaration and know no task.
struct Task {
  std::string id;           // "finding_masks"
  std::string title;        // one line
  std::string unit;         // what a row of scores is about: "finding"
  std::string predictions;  // what PREDICTIONS holds, in words
  std::vector<TaskOption> options;
  std::vector<std::string> metrics;  // words that --metrics takes; the usual ones first
  std::vector<std::string>
      headline;  // values that stand for a run in lists, the first that is defined; else its first
  bool has_official = false;  // the benchmark publishes a scorer, whose rules --mode asks for
  bool reads_masks = false;   // predictions are masks, whose cost a case has limits for
  int resamples = 1000;
  // Whether predictions look as if they were for this task, where the dataset leaves a choice.
  bool (*takes)(const Path& predictions) = nullptr;
  // The cases that the call holds, in the order of outputs, from lists alone: no voxel is read.
  Result<std::vector<TaskCase>> (*cases)(const TaskCall& call) = nullptr;
  // Scores the cases that the call holds. What concludes a run is left open.
  Result<ScoreRun> (*score)(TaskCall& call) = nullptr;
  // Fills what is made from all cases together: counts, baselines, blocks, orientation, details. Of a run
  // that was never split as of one that was put together from shards.
  Outcome (*conclude)(ScoreRun& run) = nullptr;
  // The options behind a plan of schema fiducial.plan/1 that is this task's.
  OptionValues (*options_of_first_plans)(const Json& plan) = nullptr;
};

// What is asked of a task.
struct TaskRequest {
  Path dataset;
  Path predictions;
  OptionValues values;          // of options, by name; a flag has one, "true"
  std::optional<Path> journal;  // keeps scored cases there until the run is done, and goes on from it
  std::optional<Shard> shard;   // scores only this part of the cases
  std::shared_ptr<const CasePart> part = nullptr;  // likewise
};

// Options that every task has: split, system, seed, resamples, metrics, group-by, metadata, cases; where
// there is a published scorer, mode; where masks are read, the limits of a case.
std::vector<TaskOption> options_of(const Task& task);

// The cases of a request, by Task::cases.
Result<std::vector<TaskCase>> list_cases(const Task& task, const TaskRequest& request);

// Puts the last hand to a run whose cases are all there: what its task says of them, and how a model was
// asked.
Outcome conclude_task(const Task& task, ScoreRun& run);

// Carries out a request: options resolved, cases scored, groups of the metadata added. Concluded unless a
// shard or a part was asked for.
Result<ScoreRun> score_task(const Task& task, const TaskRequest& request, const Executor& executor,
                            Progress& progress);

}  // namespace fiducial
