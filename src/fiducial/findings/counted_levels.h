#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/report_clauses.h"

namespace fiducial {

// A number that counts structures: of a rib, or of a vertebra of a level.
struct CountedLevel {
  std::string series;
  int number = 0;
};

// Finds the ribs and vertebrae that numbers of a text stand for: "L2", "T10-T12", "the 2nd-5th ribs".
// Immutable.
class LevelCounter {
 public:
  explicit LevelCounter(const Lexicon& lexicon);

  // None where the places that the words name are not of these.
  std::vector<CountedLevel> levels(const std::vector<NumberMention>& numbers, const ConceptSet& places,
                                   std::string_view text) const;

 private:
  std::string ordinal_series(const ConceptSet& places) const;

  ConceptId rib_;
  ConceptId vertebra_;
  ConceptId thoracic_;
  ConceptId lumbar_;
  ConceptId cervical_;
};

}  // namespace fiducial
