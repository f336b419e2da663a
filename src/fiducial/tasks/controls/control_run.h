#pragma once

#include <vector>

#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/controls/control_score.h"

namespace fiducial {

// A scored case as a run takes it: its prompts are its units.
struct ScoredControls {
  std::string patient;
  std::int64_t position = 0;
  const std::vector<ControlPrompt>* prompts = nullptr;
  ControlScore score;
};

// Adds the cases with their prompts, measures and groups to a run.
void add_controls(ScoreRun& run, const std::vector<ScoredControls>& cases, std::int64_t least_voxels);

}  // namespace fiducial
