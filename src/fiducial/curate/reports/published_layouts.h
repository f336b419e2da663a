#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/curate/reports/study_names.h"

namespace fiducial {

// What stages wrote about a table of reports, as the two benchmarks publish it.
struct CuratedReports {
  Path stages;                                // folder with the outputs of the stages
  std::map<std::string, StudyNames> studies;  // by the id of the report
  std::optional<Path> volumes;                // where CTs are looked for
};

// Counts of what was written.
struct PublishedCounts {
  std::int64_t cases = 0;
  std::int64_t rows = 0;  // findings, or rows of tables
  std::int64_t without_volume = 0;
};

// FOLDER/dataset.json: the findings of codes 1 and 2 of selected studies, by split; shapes where the CT is
// there.
Result<PublishedCounts> write_grounding_layout(const CuratedReports& reports, const Path& folder);

// FOLDER/{train,validation}_*.csv: the tables of regions and questions in the published columns, without a
// split before the name where reports do not say one.
Result<PublishedCounts> write_region_layout(const CuratedReports& reports, const Path& folder);

}  // namespace fiducial
