#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fiducial/datasets/grounded_reports_file.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

// A stated finding of a sentence.
struct ReportFact {
  std::string finding;
  bool left = false;  // neither: no side is named
  bool right = false;
  std::set<std::string> regions;
  std::vector<std::string> places;  // where it is said to be: paths as deep as they are named, or regions
  std::size_t sentence = 0;

  // The same finding, with sides that do not contradict each other.
  bool fits(const ReportFact& other) const;
  bool shares_region(const ReportFact& other) const;
};

// The stated facts of sentences, each finding and side once a sentence. A sentence whose regions are not
// given is placed by its words. Keeps memory; one thread at a time.
class FactFinder {
 public:
  std::vector<ReportFact> facts(const std::vector<GroundedSentence>& sentences);

 private:
  std::vector<std::string> places_of(const GroundedSentence& sentence, const GroundedFinding& finding);

  ReportGrounder grounder_;
};

// Facts that were matched are grounded where their masks share this much.
inline constexpr double least_grounded_dice = 0.1;

// Two facts that were matched, by their places in their lists.
struct FactMatch {
  std::size_t reference = 0;
  std::size_t prediction = 0;
  double dice = 0;
  bool shares_region = false;
};

// Matches facts one to one: greatest Dice first, then those of a common region, then in order. `dice` has a
// value for every two sentences, reference by reference; it is empty where there are no masks.
std::vector<FactMatch> match_facts(const std::vector<ReportFact>& reference,
                                   const std::vector<ReportFact>& prediction,
                                   const std::vector<std::vector<double>>& dice);

}  // namespace fiducial
