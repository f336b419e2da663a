#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/report_folder.h"
#include "fiducial/findings/report_polarity.h"

namespace fiducial {

// Holds what a model, or an earlier stage, says of a report against what the report states and denies. What
// goes against it is rejected as changed_polarity. Keeps memory from one text to the next; one thread at a
// time.
class ReplyPolarity {
 public:
  PolarityRecord read(std::string_view text) { return reader_.read(text); }
  PolarityRecord read(const ReportSectionsText& texts);

  // A text that stands for another: no finding of one is denied by the other. alike: both have the same
  // words, so that a denial in only one of them turns it, whatever it is of.
  ItemStatus check_text(std::string_view source, std::string_view text, bool alike);
  // A finding that is said to be there, or not to be, and the text it is drawn from.
  ItemStatus check_finding(const PolarityRecord& source, std::string_view finding, bool present);
  // Findings by key that an earlier stage found in a report: {"P1": "..."}.
  ItemStatus check_positive(const ReportSectionsText& texts, const Json& positive);

 private:
  PolarityReader reader_;
};

}  // namespace fiducial
