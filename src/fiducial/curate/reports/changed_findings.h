#pragma once

#include <compare>
#include <string>
#include <vector>

#include "fiducial/findings/report_facts.h"
#include "fiducial/findings/report_grounding.h"

namespace fiducial {

// A finding in changed words, by the rule that changed them.
struct ChangedFinding {
  std::string text;
  std::string rule;                   // "place_first", "side", ...
  std::vector<GroundedFinding> said;  // what the changed words say
};

// Changes the words of findings by rule, and reads what they say then. Keeps memory; one thread at a time.
class FindingChanger {
 public:
  // Wordings that say the same of the same place; none of a text that states no finding.
  std::vector<ChangedFinding> paraphrases(const std::string& text);
  // The same finding on the other side, or in another lobe: at most one of each. None of findings on both
  // sides, nor of places that the other side lacks.
  std::vector<ChangedFinding> swapped(const std::string& text);

 private:
  // A finding and the sides it is said of.
  struct Sided {
    ConceptId finding = 0;
    bool left = false;
    bool right = false;
    auto operator<=>(const Sided&) const = default;
  };
  std::vector<Sided> sides_in(const std::string& text);

  ReportGrounder grounder_;
  FactReader facts_;
};

}  // namespace fiducial
