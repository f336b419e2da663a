#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fiducial/curate/engine/stage.h"

namespace fiducial {

// What became of some rows of a stage: where it would go on, and the files it wrote so far, by name.
struct StagePart {
  Json checkpoint;
  std::map<std::string, Path> files;
};

// Works on the rows of the request's part. What it came to lies in a folder beside the request's output,
// which is itself never written; the caller takes the files and removes the folder. Without a checkpoint the
// stage reads this input at once, and there is nothing to cut.
Result<StagePart> run_stage_part(const Stage& stage, const StageRequest& request, Progress& progress);
// That folder.
Path part_folder(const Path& output);

// A part that was kept elsewhere, with what its files hold.
struct KeptPart {
  Json checkpoint;
  std::map<std::string, std::string> files;  // texts, by name
};

// Concludes a stage from its parts, in the order of rows: as a run that was stopped behind the last row, and
// goes on. So it is the same stage that writes the end, and a table that changed is refused.
using PartVisitor = std::function<Outcome(const std::function<Outcome(const KeptPart&)>& take)>;
Result<StageOutcome> conclude_stage(const Stage& stage, const StageRequest& request, const PartVisitor& parts,
                                    Progress& progress);

// All of a stage as one part, for an output that has no name yet; and what comes of it where it has one.
Result<StagePart> run_whole_stage(const Stage& stage, const StageRequest& request, Progress& progress);
Result<StageOutcome> conclude_whole_stage(const Stage& stage, const StageRequest& request,
                                          const KeptPart& whole);

// What two parts know together: numbers are added, members and items one by one.
Result<Json> summed(const Json& a, const Json& b);

}  // namespace fiducial
