#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/curate/reports/report_folder.h"

namespace fiducial {

// What a model is asked for a report in standard words, and for the codes of its findings.
ModelRequest standard_report_request(const ReportSectionsText& texts);
ModelRequest category_request(const Json& positive_findings);

// Holds a reply against the report it is about: its form, the seven sections, that no measurement, side or
// sentence was lost or added, and that it states and denies the same. The first thing wrong, or "ok".
ItemStatus check_standard_reply(const Json& reply, const ReportSectionsText& texts);
// Every finding has one of the 62 codes, and nothing else is there.
ItemStatus check_category_reply(const Json& reply, const Json& positive_findings);

}  // namespace fiducial
