#include "fiducial/findings/polarity_rule.h"

namespace fiducial {

PolarityRule::PolarityRule(const Lexicon& lexicon)
    : measured_(with_parts(required_concepts(lexicon, {"enlargement", "density", "cardiothoracic_ratio",
                                                       "soft_tissue", "thickening", "curvature"}),
                           lexicon)),
      asserting_(required_concepts(lexicon, {"assert", "exist"})),
      judgement_(lexicon.required_concept("judge")),
      unassessed_(lexicon.required_concept("unassessed")),
      lymph_node_(lexicon.required_concept("lymph_node")) {}

bool PolarityRule::is_normal(const Mention& finding, const Clause& clause) const {
  if (!clause.concepts[judgement_]) return false;
  // Everybody has lymph nodes too, but a report that observes them means those that stand out.
  return measured_[finding.what] || (finding.what == lymph_node_ && (clause.concepts & asserting_).none());
}

}  // namespace fiducial
