#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/eval/task_run.h"
#include "fiducial/geometry/affine.h"

namespace fiducial {

// What to score and how, as a user asks for it.
struct TableScoreRequest {
  Path dataset;
  Path predictions;  // a folder or a flat zip with files of answers: presence.csv, ...
  std::optional<std::string> split;
  std::optional<std::string> system;  // default: the name of the predictions
  std::string task;                   // "": the tables; "grounded-report"
  std::vector<std::string> metrics;   // tasks, groups, slots or contract ids; none: all
  std::uint64_t seed = 0;
  int resamples = 1000;
  std::optional<Path> volumes;     // CTs, whose grid and spacing masks take
  std::optional<Vec3> spacing_mm;  // of masks, where no header says it
  double tolerance_mm = 1;         // of NSD
  std::optional<Path> wordnet;     // a WordNet 3 database for METEOR with synonyms, or "auto"
};

// Scores the answers to every table of a split that has a file of them. Of a row 16 bytes are in memory and
// each word of a question once; answers and the texts of regions are on disk while they are scored. Nothing
// depends on the number of threads.
Result<TaskRun> score_tables(const TableScoreRequest& request, const Executor& executor);

// Scores what is asked for: the tables, or grounded reports.
Result<TaskRun> score_tasks(const TableScoreRequest& request, const Executor& executor);

// The task that predictions are for where none is asked for: "grounded-report" where they hold grounded
// reports and no file of answers, else "".
std::string usual_task(const Path& predictions);

inline constexpr const char* table_masks_folder = "masks/";

// Scores predicted masks (masks/ in PREDICTIONS, a folder or a zip) beside the tables, as further tasks of
// the run, and says what became of them: an entry of the summary's tasks, nothing where neither side has
// masks. Called once the cases and units of the run are known; a unit of a mask is its region.
Result<std::optional<Json>> score_table_masks(const TableScoreRequest& request, TaskRun& run);

}  // namespace fiducial
