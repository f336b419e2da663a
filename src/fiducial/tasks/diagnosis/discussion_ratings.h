#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/metrics/diagnosis_contracts.h"
#include "fiducial/stats/agreement.h"

namespace fiducial {

inline constexpr std::size_t education_item_count = std::size(education_items);

// Whether a sentence of a discussion is right, as one rater says.
struct SentenceRating {
  std::size_t heading = 0;  // its place in discussion_headings
  std::size_t sentence = 1;
  bool correct = false;
};

// What one rater says about the discussion of one case.
struct CaseRating {
  std::string rater;
  std::array<std::optional<double>, education_item_count> items;  // 0 to 2
  std::vector<SentenceRating> sentences;

  std::optional<double> total() const;  // nothing where an item was left blank
};

using RatingsByCase = std::map<std::int64_t, std::vector<CaseRating>>;

// Ratings as docs/formats/ratings.md has them, a case and a rater a record. Refuses, with the line: points
// outside of 0 to 2, a rater who rates a case twice, and a record that rates nothing.
Result<RatingsByCase> ratings_by_case(const std::vector<Record>& records, const std::string& path);

// The raters' totals: one row a rated case, one column a rater, by name.
struct RaterTotals {
  std::vector<std::string> raters;
  Ratings totals;
};

}  // namespace fiducial
