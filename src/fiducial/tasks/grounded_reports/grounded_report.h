#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fiducial/base/byte_stream.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

inline constexpr const char* grounded_reports_file = "grounded_reports.jsonl";

// A sentence and where it looks.
struct GroundedSentence {
  std::string text;
  std::optional<std::int64_t> channel;  // of the mask file of its case
  std::vector<std::string> regions;     // paths, last names of paths, or regions
};

// Reports by case, as docs/formats/grounded_reports.md says.
struct GroundedReports {
  Digest digest;
  std::map<std::string, std::vector<GroundedSentence>> by_case;  // names end in .nii.gz
};

// Refuses, with the line: what is no such object, and a case that occurs twice.
Result<GroundedReports> read_grounded_reports(StoredFile file);

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
