#include "fiducial/curate/reports/question_lines.h"

#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/report_places.h"

namespace fiducial {

namespace {

void append_json_member(std::string& out, std::string_view name, std::string_view text) {
  out += ",\"";
  out += name;
  out += "\":";
  append_json_text(out, text);
}

}  // namespace

std::string question_head(std::string_view volume, std::string_view family, std::string_view words) {
  std::string line = "{\"Volumename\":";
  append_json_text(line, volume);
  append_json_member(line, "family", family);
  append_json_member(line, "question", words);
  return line;
}

std::string question_tail(const AskedQuestion& asked, const SourceColumns& columns) {
  std::string line;
  if (!asked.path.empty()) append_json_member(line, "anatomy", asked.path);
  if (!asked.finding.empty()) append_json_member(line, "finding", asked.finding);
  if (!asked.term.empty()) append_json_member(line, "term", asked.term);
  append_json_member(line, "answer", asked.answer);
  append_json_member(line, "basis", asked.basis);
  for (std::size_t i = 0; i < asked.accepted.size(); ++i) {
    line += i == 0 ? ",\"accepted\":[" : ",";
    append_json_text(line, PathNumbers::known().name(asked.accepted[i]));
  }
  if (!asked.accepted.empty()) line += ']';
  line += ",\"sources\":[";
  for (std::size_t i = 0; i < asked.sources.size(); ++i) {
    const SourceSpan& source = asked.sources[i];
    line += i == 0 ? "{\"sentence\":" : ",{\"sentence\":";
    append_json_text(line, source.sentence);
    append_json_member(line, "column",
                       source.sentence.starts_with('I') ? columns.impressions : columns.findings);
    line += ",\"begin\":" + decimal(source.span.begin) + ",\"end\":" + decimal(source.span.end) + "}";
  }
  return line + "]}\n";
}

}  // namespace fiducial
