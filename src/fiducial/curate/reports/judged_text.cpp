#include "fiducial/curate/reports/judged_text.h"

#include <string>

#include "fiducial/text/words.h"

namespace fiducial {

namespace {

bool says_something(std::string_view impressions) {
  std::string letters;
  for (const char letter : ascii_lower(impressions)) {
    if (letter >= 'a' && letter <= 'z') letters += letter;
    if (letters.size() > 8) return true;
  }
  return !letters.empty() && letters != "notgiven";
}

void move_by(std::size_t bytes, TextSpan& span) {
  span.begin += bytes;
  span.end += bytes;
}

}  // namespace

JudgedText::JudgedText(const ReportSectionsText& texts)
    : findings_(texts.findings, 'F'),
      impression_(texts.impressions, 'I'),
      impression_begin_(texts.findings.size() + 1),
      is_judged_(says_something(texts.impressions)) {}

void JudgedText::move_behind(GroundedFinding& finding) const {
  move_by(impression_begin_, finding.evidence);
  for (Measurement& size : finding.sizes) move_by(impression_begin_, size.span);
}

SourceSpan JudgedText::source(const TextSpan& span) const {
  if (span.begin < impression_begin_) return findings_.source(span);
  return impression_.source({span.begin - impression_begin_, span.end - impression_begin_});
}

std::vector<SourceSpan> JudgedText::sources(const std::vector<TextSpan>& words) const {
  std::vector<SourceSpan> out;
  for (const TextSpan& span : words) {
    if (span.size() > 0) out.push_back(source(span));
  }
  return out;
}

AnswerWords JudgedText::answer_words(const TextSpan& evidence) const {
  const bool is_judged = evidence.begin >= impression_begin_;
  const std::size_t first = is_judged ? impression_begin_ : 0;
  const std::size_t begin = evidence.begin - first;
  return {static_cast<std::uint32_t>((is_judged ? impression_ : findings_).number_at(begin)),
          static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(evidence.end - first), is_judged};
}

}  // namespace fiducial
