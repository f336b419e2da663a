#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/reports/report_rows.h"
#include "fiducial/findings/finding_phrases.h"

namespace fiducial {

// The sentences of one text of a report, as `sentences` numbers them. Holds a view of nothing.
class SentenceCodes {
 public:
  SentenceCodes(std::string_view text, char section);

  // The sentence that a byte of the text lies in: "F3".
  std::string at(std::size_t byte) const;
  std::size_t number_at(std::size_t byte) const;
  SourceSpan source(const TextSpan& span) const { return {at(span.begin), span}; }

 private:
  char section_;
  std::vector<std::size_t> ends_;
};

// {"sentence", "column", "begin", "end"} of a row's text.
Json source_json(const SourceSpan& source, const ReportRow& row);
Json sources_json(const std::vector<SourceSpan>& sources, const ReportRow& row);
// "F3:120-163;I0:0-20", for the cell of a table.
std::string sources_text(const std::vector<SourceSpan>& sources);

// Ties the sentences of a report that comes from elsewhere to those of the report itself: by their words,
// else to the likest that is left.
void trace_sentences(StandardReport& report, const StandardReport& original);
// Findings of a model have the whole sentences that they name.
void trace_findings(std::vector<FindingPhrase>& findings, const StandardReport& report);

}  // namespace fiducial
