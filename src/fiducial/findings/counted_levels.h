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

// The ribs and vertebrae that numbers of a text stand for, where its words name such places: "L2", "T10-T12",
// "the 2nd-5th ribs".
std::vector<CountedLevel> counted_levels(const std::vector<NumberMention>& numbers, const ConceptSet& places,
                                         std::string_view text, const Lexicon& lexicon);

}  // namespace fiducial
