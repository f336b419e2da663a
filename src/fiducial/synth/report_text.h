#pragma once

#include <span>
#include <string>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_anatomy.h"
#include "fiducial/synth/finding_facts.h"

namespace fiducial {

// A chest CT report in the four parts of CT-RATE's table.
struct ReportParts {
  std::string clinical_information;
  std::string technique;
  std::string findings;
  std::string impressions;
};

// What a report knows beside the findings.
struct ReportContext {
  double slice_mm = 1;
  Contrast contrast = Contrast::none;
  Organ resected = Organ::none;
  double scoliosis_mm = 0;
  bool follow_up = false;  // there is an earlier scan to compare with
};

// A report that names every finding and denies what is not there. As reports do, it hedges, compares with the
// scan before, and leaves the lesser findings out of its impression.
ReportParts report_text(std::span<const FindingFacts> findings, const ReportContext& context, Random& random);

}  // namespace fiducial
