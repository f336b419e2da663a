#pragma once

#include <functional>

#include "fiducial/curate/report_rows.h"
#include "fiducial/curate/stage_call.h"

namespace fiducial {

// The table of reports that a stage is given, and the option that names another column than findings.
StageOption reports_input();
StageOption text_column_option();
// The flag that has a model do a stage's work, whose replies are then held against the rules.
StageOption ask_option();

// Every row of the stage's reports, in order, recorded with the status it is given. Stops between rows when
// asked to.
Outcome for_each_report(StageCall& call, const ReportColumns& columns,
                        const std::function<Result<ItemStatus>(const ReportRow&)>& use);

}  // namespace fiducial
