#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// A value of the published scorer's file that ours does not repeat.
struct ScorerDifference {
  std::string place;  // JSON pointer into the file; cases by name
  std::string ours;   // as JSON text, empty where there is none
  std::string theirs;

  std::string text() const;
  friend bool operator==(const ScorerDifference&, const ScorerDifference&) = default;
};

// What a comparison of two files of the published scorer's form found.
struct ScorerComparison {
  std::int64_t cases = 0;   // of theirs
  std::int64_t values = 0;  // numbers, words and flags compared
  std::vector<ScorerDifference> differences;
};

// Compares two files of the published scorer's form, value by value: counts and scores of findings exactly,
// means and shares to a relative 1e-12. The order of cases is that of completion, and the order of matches of
// equal Dice is not laid down: neither is compared. Refuses a file that is not of that form.
Result<ScorerComparison> compare_scorer_files(const Json& ours, const Json& theirs);

}  // namespace fiducial
