#pragma once

#include <string_view>
#include <vector>

#include "fiducial/findings/measurements.h"
#include "fiducial/findings/report_clauses.h"

namespace fiducial {

// A size of a clause, in the characters of the text.
struct ClauseSize {
  Measurement size;
  bool prior = false;  // it was measured in an earlier examination
};

// The sizes of a clause, in order. Of several the one nearest to "in the previous examination" is that
// examination's: "6 mm in the previous examination, 8 mm in the current one".
std::vector<ClauseSize> sizes_of_clause(std::string_view text, const Clause& clause,
                                        const ClauseReader& reader);

}  // namespace fiducial
