#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/eval/folder/score_folder.h"

namespace fiducial {

// Which systems to compare, by which scorer's rules and first of all in which slot.
struct CompareRequest {
  std::vector<Path> folders;  // two or more, each written by `fiducial score`
  Scorer scorer = Scorer::strict;
  std::string slot;  // none: what stands for a run, else dice_per_case where there is one, else the first
  std::uint64_t seed = 0;
  int resamples = 10000;
  // What rows by a plan are about, as its task declares it.
  std::string (*unit_of)(const Json& plan) = nullptr;
  // The slots that stand for such a run, likewise.
  std::vector<std::string> (*headline_of)(const Json& plan) = nullptr;
};

// Refuses folders whose numbers do not measure the same thing: another dataset, split, reference mask,
// metric, version or parameter than the first folder's. The error names the first difference of every such
// folder.
Outcome check_comparable(const std::vector<ScoreFolder>& folders, Scorer scorer);

// The comparison as a document (schema fiducial.comparison/1): the same bytes for the same folders and seed.
//
// Every value is made again from the rows and held against the summary. Differences are the first system
// minus the second, with an interval from resampling patients and a p-value from exchanging them.
Result<Json> compare_scores(const CompareRequest& request);

}  // namespace fiducial
