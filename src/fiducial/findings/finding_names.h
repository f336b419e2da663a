#pragma once

#include <string>
#include <string_view>

#include "fiducial/findings/report_clauses.h"

namespace fiducial {

// What stands where the name of a finding should.
enum class FindingNameKind {
  finding,  // or words that the lexicon does not know
  vague,  // a comparison or a measure that does not say of what: "wider than normal", "cardiothoracic index"
  normality,  // says that something is as it should be: "natural appearance"
  place,      // anatomy and nothing else: "left breast"
};

// Reads the names of findings with the lexicon of reports. Keeps memory from one name to the next; one thread
// at a time.
class FindingNameReader {
 public:
  explicit FindingNameReader(const Lexicon& lexicon = Lexicon::chest_ct());

  // The name has fewer than 2^32 bytes.
  FindingNameKind kind_of(std::string_view name);

 private:
  ConceptSet concepts_in(std::string_view text);
  // Whether every word of a text that was read last is of the lexicon, or only joins those that are.
  bool knows_every_word(std::string_view text) const;

  ConceptSet anatomy_;
  ConceptSet findings_;
  ConceptSet vague_;
  ConceptId density_;
  ConceptId judgement_;
  ClauseReader reader_;
  std::string judged_;
  std::vector<TextSpan> said_;  // the mentions of the last text
};

}  // namespace fiducial
