#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/findings/report_facts.h"
#include "fiducial/findings/standard_report.h"

namespace fiducial {

// A finding that a report states or denies, once, with every sentence that does.
struct FindingPhrase {
  std::string text;
  std::vector<std::string> sources;  // codes of sentences: "L1", "I0"
  bool abnormal = true;              // false: said to be absent
  bool speaks_of_prior = false;
  std::optional<std::size_t> category_rule;  // of category_rules(); none: no rule holds
  ConceptId finding = 0;
  bool left = false;
  bool right = false;
};

// The codes of ReXGroundingCT's ontology, as rules.
const ConceptRules& category_rules();
// Whether a code says "typically focal"; nothing for codes outside lungs, airways and pleura.
std::optional<bool> focal_category(std::string_view code);

// Draws findings from standardised reports: one phrase a clause that states or denies one. What is only asked
// or recommended is left out; what an impression says again is one finding with two sources.
class FindingExtractor {
 public:
  FindingExtractor();

  std::vector<FindingPhrase> extract(const StandardReport& report);

 private:
  void read_sentence(const StandardSentence& sentence, std::vector<FindingPhrase>& phrases);
  std::optional<FindingPhrase> phrase_of(const Clause& clause, std::string_view text) const;
  std::optional<std::size_t> category_of(const Clause& clause) const;

  const Lexicon& lexicon_;
  ConceptId recommend_;
  ConceptId prior_;
  ConceptId left_, right_, bilateral_, judgement_;
  ConceptSet vague_;  // findings that are none by themselves: "density", "large"
  ClauseReader reader_;
};

}  // namespace fiducial
