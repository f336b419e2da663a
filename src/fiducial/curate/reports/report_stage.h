#pragma once

#include <functional>
#include <optional>

#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/report_rows.h"

namespace fiducial {

// The table of reports that a stage is given, and the option that names another column than findings.
StageOption reports_input();
StageOption text_column_option();
// The flag that has a model do a stage's work, whose replies are then held against the rules.
StageOption ask_option();

// What becomes of a report that the rules cannot read, because it is empty, not in English or of another part
// of the body: it is skipped,
// and told, never taken for one that finds nothing. Nothing for a report that they can read.
std::optional<ItemStatus> illegible(const ReportRow& row);

// What a stage must know of earlier rows to go on after them: what to write down, and how to take it back.
struct RowMemory {
  std::function<Json()> save;
  std::function<Outcome(const Json&)> restore;
};

// Every row of the stage's reports that the rules, or the model that is asked, can read, in order, recorded
// with the status it is given. Stops between rows when asked to. A stage that resumes goes on after the rows
// of an earlier run that was killed; a table that has changed since is refused.
Outcome for_each_report(StageCall& call, const ReportColumns& columns,
                        const std::function<Result<ItemStatus>(const ReportRow&)>& use,
                        const RowMemory& memory = {});

}  // namespace fiducial
