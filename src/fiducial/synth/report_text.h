#pragma once

#include <span>
#include <string>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/synth/finding_facts.h"

namespace fiducial {

// A chest CT report in the four parts of CT-RATE's table.
struct ReportParts {
  std::string clinical_information;
  std::string technique;
  std::string findings;
  std::string impressions;
};

// A report that names every finding and denies what is not there.
ReportParts report_text(std::span<const FindingFacts> findings, double slice_mm, Random& random);

}  // namespace fiducial
