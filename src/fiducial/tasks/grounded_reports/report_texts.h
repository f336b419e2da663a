#pragma once

#include "fiducial/eval/run/score_family.h"
#include "fiducial/tasks/grounded_reports/grounded_references.h"

namespace fiducial {

// Text metrics of whole reports, sentences one after another, in the order of the references. A report that
// is not there is one of no words.
ScoreFamily report_text_scores(const ReferenceReports& references, const GroundedReports& reports);

}  // namespace fiducial
