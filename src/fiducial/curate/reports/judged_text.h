#pragma once

#include <vector>

#include "fiducial/curate/reports/presence_questions.h"
#include "fiducial/curate/reports/report_folder.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

// The two texts of a report as one: the characters of the impression are counted on from the end of the
// findings. Ties characters to sentences.
class JudgedText {
 public:
  JudgedText() = default;
  explicit JudgedText(const ReportSectionsText& texts);

  // Whether the impression says anything; CT-RATE has "Not given." where there is none.
  bool is_judged() const { return is_judged_; }
  // Moves a finding of the impression behind the findings.
  void move_behind(GroundedFinding& finding) const;

  SourceSpan source(const TextSpan& span) const;
  std::vector<SourceSpan> sources(const std::vector<TextSpan>& words) const;
  AnswerWords answer_words(const TextSpan& evidence) const;

  const SentenceCodes& findings() const { return findings_; }
  // Of the impression by itself, with its own characters.
  const SentenceCodes& impression() const { return impression_; }

 private:
  SentenceCodes findings_{"", 'F'};
  SentenceCodes impression_{"", 'I'};
  std::size_t impression_begin_ = 1;
  bool is_judged_ = false;
};

}  // namespace fiducial
