#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fiducial/eval/aggregate.h"

namespace fiducial {

// The findings of a run that share a property, e.g. category "2d".
struct FindingGroup {
  std::string label;
  std::vector<FindingInCase> findings;
};

// Findings by category, focality, size, number of entities and protocol, and by the columns of the metadata
// that the cases carry labels of; empty groups are left out. All cases have labels of the same columns.
std::vector<std::pair<std::string, std::vector<FindingGroup>>> grouped(
    const std::vector<FindingInCase>& findings);

}  // namespace fiducial
