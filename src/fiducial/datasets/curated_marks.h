#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

// Characters of a report that an output speaks of.
struct MarkedWords {
  std::string report;
  std::string column;
  TextSpan span;
};

// The words that a row names: its own "column", "begin" and "end", or those of its "sources".
std::vector<MarkedWords> marked_words(const Json& row);

// What a stage makes of the characters of reports. Words are added first, then settled, then asked for.
class ReportMarks {
 public:
  struct Mark {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t furthest = 0;  // where the furthest ends of those that begin no later
    bool stated = false;
  };

  void add(const MarkedWords& words, bool stated);
  void settle();

  // The marks that begin inside some words.
  std::span<const Mark> inside(const MarkedWords& words) const;
  // Whether some words begin inside a mark.
  bool covers(const MarkedWords& words) const;
  std::size_t reports() const { return reports_.size(); }

 private:
  using Marks = std::vector<Mark>;
  const Marks* find(const MarkedWords& words) const;

  std::unordered_map<std::string, std::map<std::string, Marks>> reports_;  // by report and column
};

}  // namespace fiducial
