#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/curate/prompts.h"
#include "fiducial/curate/report_folder.h"
#include "fiducial/findings/finding_phrases.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

// A model's reply in the form that was asked for, or what became of it: usable is false then, and status says
// why.
struct CheckedReply {
  Json value;
  ItemStatus status;
  bool usable = false;
};
Result<CheckedReply> ask_for(StageCall& call, const ModelRequest& request, std::string_view id);

// The eighteen labels of a report, as 0 and 1.
ModelRequest label_request(const ReportRow& row, const std::vector<std::string>& labels);

// The sentences of a report's texts, by column. Sentences that are not the text's own, in order and without
// loss, are refused.
ModelRequest sentence_request(const ReportRow& row);
struct AlignedSentences {
  std::vector<Sentence> sentences;
  ItemStatus status;
};
AlignedSentences aligned_sentences(std::string_view text, const Json& reply);

// Where each of some sentences belongs, out of a list of places.
Json numbered_sentences(std::string_view text, const std::vector<Sentence>& sentences);
ModelRequest place_request(std::string_view prompt, const Json& sentences,
                           const std::vector<std::string>& places);
// Every sentence is answered and no other; a place on the side that a sentence does not name is refused.
ItemStatus check_places(const Json& reply, const Json& sentences);
std::vector<std::string> places_of(const Json& reply, std::string_view key);

// The findings of a report in standard words, in the published form of four values.
ModelRequest finding_request(const StandardReport& report);
// Numbers without a gap, sources that exist, no measurement or side that the sources do not have, and none of
// the sentences and measurements lost in which the rules see something abnormal.
ItemStatus check_findings(const Json& reply, const StandardReport& report,
                          const std::vector<FindingPhrase>& by_rules);
std::vector<FindingPhrase> phrases_of(const Json& reply);

// What a report states and denies, with paths and sizes, and the disorders of its impressions.
ModelRequest grounding_request(const ReportSectionsText& texts);
ItemStatus check_grounding(const Json& reply, const ReportSectionsText& texts,
                           const std::vector<GroundedFinding>& by_rules);
std::vector<GroundedFinding> grounded_findings_of(const Json& reply);

}  // namespace fiducial
