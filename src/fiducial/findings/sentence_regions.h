#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fiducial/findings/concept_rules.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

// The ten regions of RadGenome-Chest CT, in the order of its tables.
const ConceptRules& chest_region_rules();

// Where a sentence belongs, and why.
struct SentenceRegions {
  enum class Reason { none, rules, continues, heads, model };

  std::vector<std::size_t> regions;  // ascending
  std::vector<std::size_t> rules;    // those that placed it, one a region
  Reason reason = Reason::none;  // continues the sentence before it, heads the one after it, or a model said
};

// Divides reports into regions, sentence by sentence. Keeps memory from one report to the next; one thread at
// a time.
class ReportDivider {
 public:
  explicit ReportDivider(const ConceptRules& rules = chest_region_rules());

  // One answer a sentence, in order. The text has fewer than 2^32 bytes.
  std::vector<SentenceRegions> divide(std::string_view text, const std::vector<Sentence>& sentences);

  const ConceptRules& rules() const { return rules_; }

 private:
  struct Reading {
    bool heading = false;
    bool is_bare_heading = false;   // it says nothing itself: "When examined in the lung parenchyma window"
    bool says_nothing_new = false;  // no anatomy, no finding but generic ones; or it is "at this level"
  };

  Reading place(std::string_view sentence, SentenceRegions& answer);

  const ConceptRules& rules_;
  ClauseReader reader_;
  ConceptId heading_;
  ConceptId same_place_;
  ConceptSet placing_;  // concepts that say what or where
  ConceptSet saying_;
};

}  // namespace fiducial
