#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/curate/engine/prompts.h"
#include "fiducial/curate/reports/report_folder.h"
#include "fiducial/text/sentences.h"

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
// Paths that stand on the side opposite to those of the rules, where the sentence names both sides.
ItemStatus check_mirrored(const std::string& key, const std::vector<std::string>& said,
                          const std::vector<std::string>& by_rules);

}  // namespace fiducial
