#pragma once

#include <vector>

#include "fiducial/curate/engine/prompts.h"
#include "fiducial/curate/reports/report_folder.h"
#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

// The findings of a report in standard words, in the published form of four values.
ModelRequest finding_request(const StandardReport& report);
// Numbers without a gap, sources that exist, no measurement or side that the sources do not have, nothing
// stated that they deny or denied that they state, and none of the sentences, measurements and sides lost of
// what the rules take for abnormal.
ItemStatus check_findings(const Json& reply, const StandardReport& report,
                          const std::vector<FindingPhrase>& by_rules);
std::vector<FindingPhrase> phrases_of(const Json& reply);
// Whether both see as many abnormal findings in every sentence, and the reply all that the rules see denied;
// what is normal it may say besides.
bool agree_on_sentences(const std::vector<FindingPhrase>& said, const std::vector<FindingPhrase>& by_rules);

// What a report states and denies, with paths and sizes, and the disorders of its impressions.
ModelRequest grounding_request(const ReportSectionsText& texts);
// No size that the report does not have, none lost that the rules see or moved to a place of another, nothing
// of what they find left without an answer, no finding on the side it is not said to be on, nothing both
// stated and denied, and nothing stated that the report denies or denied that it states.
ItemStatus check_grounding(const Json& reply, const ReportSectionsText& texts,
                           const std::vector<GroundedFinding>& by_rules);
std::vector<GroundedFinding> grounded_findings_of(const Json& reply);
// Whether both state the same findings and deny the same.
bool agree_on_names(const std::vector<GroundedFinding>& a, const std::vector<GroundedFinding>& b);

}  // namespace fiducial
