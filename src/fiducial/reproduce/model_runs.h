#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/reproduce/scored_systems.h"

namespace fiducial {

// The scores of a model that `fiducial run` asked, with how it was asked.
struct ModelRun {
  std::string model;
  std::string workflow;                 // "direct"
  std::string effort;                   // "high"; empty: none was sent
  std::optional<double> images;         // percent of a case's images; nothing: limited by their number
  std::string hints = "none";           // none, expert or self
  std::string summary_cue = "none";     // likewise
  std::optional<double> output_tokens;  // a case
  Json summary;
};

// Of systems whose predictions no run wrote nothing is known; they are left out.
std::vector<ModelRun> model_runs(const std::vector<ScoredSystem>& systems);

}  // namespace fiducial
