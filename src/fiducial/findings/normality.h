#pragma once

#include "fiducial/findings/report_clauses.h"

namespace fiducial {

// What a clause says of the state of things: "the wall thickness is normal" denies that it is thickened; "the
// nodule is homogeneous" denies nothing; "effusion could not be evaluated" says neither. Immutable.
class NormalityRule {
 public:
  explicit NormalityRule(const Lexicon& lexicon);

  // Whether a finding is said to be as it should be.
  bool is_normal(const Mention& finding, const Clause& clause) const;
  // Whether the clause says that it could not be told.
  bool is_unassessed(const Clause& clause) const { return clause.concepts[unassessed_]; }

 private:
  ConceptSet measured_;  // there in everybody: only too much of it is a finding
  ConceptSet asserting_;
  ConceptId judgement_;
  ConceptId unassessed_;
  ConceptId lymph_node_;
};

}  // namespace fiducial
