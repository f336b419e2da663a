#pragma once

#include <span>

#include "fiducial/findings/report_clauses.h"

namespace fiducial {

// Whether a clause says that a finding is there: the one place where this is decided, from what ClauseReader
// reads in the words of the report. Labels, facts, phrases, questions and chains ask here. Immutable.
//
// What is denied is absent, and so is what should be there and is said to be as it should: "the wall
// thickness is normal" denies that it is thickened; "the nodule is homogeneous" denies nothing; "effusion
// could not be evaluated" says neither. A tube that has been removed is absent.
class PolarityRule {
 public:
  explicit PolarityRule(const Lexicon& lexicon);

  bool is_absent(const Mention& finding, const Clause& clause) const {
    return finding.denied || is_normal(finding, clause) ||
           (devices_[finding.what] && clause.concepts[removed_]);
  }
  // Whether a finding is said to be as it should be.
  bool is_normal(const Mention& finding, const Clause& clause) const;
  // Whether a clause only recommends something for a finding of no place: "CT is recommended for the nodule",
  // "nodule follow-up is recommended"; not "nodules in both lungs, follow-up is recommended". nullptr: for
  // whatever it names.
  bool is_only_advice(const Mention* finding, const Clause& clause, std::span<const Mention> mentions) const;
  // Whether the clause says that it could not be told.
  bool is_unassessed(const Clause& clause) const { return clause.concepts[unassessed_]; }

 private:
  ConceptSet measured_;  // there in everybody: only too much of it is a finding
  ConceptSet asserting_;
  ConceptSet devices_;
  ConceptId removed_;
  ConceptId judgement_;
  ConceptId unassessed_;
  ConceptId recommend_;
  ConceptSet anatomy_;
  ConceptId lymph_node_;
};

}  // namespace fiducial
