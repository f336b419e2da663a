#pragma once

#include <string_view>
#include <vector>

#include "fiducial/pages/page_frame.h"
#include "fiducial/pages/run_page.h"

namespace fiducial {

// Which groups a page shows, and by what. Slots and kinds that a run does not have are passed over.
struct GroupChoice {
  std::vector<std::string_view> plots;    // slots that are drawn
  std::vector<std::string_view> columns;  // slots of tables
  std::vector<std::string_view> kinds;    // shown at once; the others are folded away
  std::string_view unit = "case";         // what a dot is
};

// What the page of one task has beside what all have. Everything may be left empty.
struct TaskPage {
  std::string counts;  // what was scored: "6 cases, 13 findings"
  Html lead;           // how well it went, in a sentence
  Html verdicts;
  std::vector<std::string_view> tiles;  // slots people quote; the first four there are
  Html values_note;                     // what the rules behind all values are
  std::vector<PageSection> before_values;
  GroupChoice groups;
  std::vector<PageSection> after_groups;  // examples
  std::vector<std::string_view> limits;   // what the numbers do not say
};

// The tasks that have something of their own to show.
Result<TaskPage> finding_masks_page(const RunPage& page);
Result<TaskPage> diagnosis_page(const RunPage& page);
Result<TaskPage> region_tables_page(const RunPage& page);
Result<TaskPage> organ_masks_page(const RunPage& page);
Result<TaskPage> grounded_reports_page(const RunPage& page);
Result<TaskPage> controls_page(const RunPage& page);

}  // namespace fiducial
