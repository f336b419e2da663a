#pragma once

#include <string>
#include <string_view>

#include "fiducial/curate/reports/report_stage.h"

namespace fiducial {

// Whether a report's name can be the name of a file: letters, digits, and . _ - after a letter or digit.
bool names_a_file(std::string_view id);

// Writes FOLDER/ID.json into the stage's output.
Outcome write_report_file(StageCall& call, const std::string& folder, std::string_view id,
                          const Json& document);

// The findings and impressions of a row; "Not given." is nothing.
struct ReportSectionsText {
  std::string_view findings;
  std::string_view impressions;
};
ReportSectionsText sections_of(const ReportRow& row);

}  // namespace fiducial
