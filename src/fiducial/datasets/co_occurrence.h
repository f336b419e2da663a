#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/datasets/dataset_description.h"

namespace fiducial {

// Two names in alphabetical order.
using NamePair = std::pair<std::string, std::string>;

// How many things (scans, cases) have both names of a pair; of pairs that occur.
using PairCounts = std::map<NamePair, std::int64_t>;

// Counts every pair of the names that one thing has.
void add_pairs(const std::set<std::string>& names, PairCounts& counts);

// [{"KEY": [a, b], "THINGS": n}], by name.
Json pairs_json(const PairCounts& counts, const char* key, const char* things);

// The pairs of one split.
struct SplitPairs {
  std::string name;
  std::int64_t whole = 0;  // things there are
  const PairCounts* counts = nullptr;
};
// The most frequent pairs of all, drawn split by split as shares of the splits' things; the head says what
// the drawing is.
DescribedDistribution drawn_pairs(DescribedDistribution head, const std::string& things,
                                  const std::vector<SplitPairs>& splits);

}  // namespace fiducial
