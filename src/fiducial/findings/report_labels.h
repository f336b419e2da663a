#pragma once

#include <string_view>
#include <vector>

#include "fiducial/findings/concept_rules.h"

namespace fiducial {

// The eighteen abnormalities of CT-RATE, in the order of its tables.
const ConceptRules& ct_rate_label_rules();

// Why a label was raised: the rule, and the characters it fired on.
struct LabelEvidence {
  std::size_t label = 0;
  std::size_t rule = 0;
  TextSpan finding;  // the words of the finding
  TextSpan clause;   // the clause that says so
};

// Labels reports: a label is raised by a rule that holds in an item of a clause where its first concept is
// not denied. "A cyst in the liver, nodules in the lung" has two items: each names a finding and a place.
// Keeps memory from one report to the next; one thread at a time.
class ReportLabeller {
 public:
  explicit ReportLabeller(const ConceptRules& rules = ct_rate_label_rules());

  // One flag a label, valid until the next call. The text has fewer than 2^32 bytes.
  const std::vector<bool>& labels(std::string_view text);
  // Every firing of a rule, in the order of the text.
  std::vector<LabelEvidence> evidence(std::string_view text);

  const ConceptRules& rules() const { return rules_; }

 private:
  template <typename Visitor>
  void visit_firings(std::string_view text, const Visitor& visit);
  template <typename Visitor>
  void visit_rules(ConceptId subject, const Mention& mention, const Clause& clause,
                   const Visitor& visit) const;
  // The mentions of a clause before its guess, if it says no more than what something else may be.
  std::span<const Mention> without_guesses(const Clause& clause) const;
  // Findings that are said to be absent and nothing else: they neither place nor exclude anything.
  ConceptSet only_denied(std::span<const Mention> mentions) const;
  // Narrows a clause to its item that begins with a mention, and gives the mention after the item.
  std::size_t end_of_item(std::span<const Mention> mentions, std::size_t first, Clause& item) const;

  const ConceptRules& rules_;
  ConceptSet subjects_;  // of the rules
  ConceptSet anatomy_;
  ConceptSet findings_;
  ConceptSet guesses_;
  ConceptSet asserting_;
  ConceptId guess_;
  ConceptId not_excluded_;
  ClauseReader reader_;
  std::vector<bool> flags_;
};

}  // namespace fiducial
