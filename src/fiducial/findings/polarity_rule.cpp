#include "fiducial/findings/polarity_rule.h"

#include <algorithm>

namespace fiducial {

PolarityRule::PolarityRule(const Lexicon& lexicon)
    : measured_(with_parts(required_concepts(lexicon, {"enlargement", "density", "cardiothoracic_ratio",
                                                       "soft_tissue", "thickening", "curvature"}),
                           lexicon)),
      asserting_(required_concepts(lexicon, {"assert", "exist"})),
      devices_(with_parts(required_concepts(lexicon, {"device"}), lexicon)),
      removed_(lexicon.required_concept("removed")),
      judgement_(lexicon.required_concept("judge")),
      unassessed_(lexicon.required_concept("unassessed")),
      recommend_(lexicon.required_concept("recommend")),
      anatomy_(concepts_of_kind(lexicon, ConceptKind::anatomy)),
      lymph_node_(lexicon.required_concept("lymph_node")) {}

bool PolarityRule::is_only_advice(const Mention* finding, const Clause& clause,
                                  std::span<const Mention> mentions) const {
  if (!clause.concepts[recommend_] || (clause.concepts & anatomy_).any()) return false;
  if (finding == nullptr) return true;
  const auto advice = std::find_if(mentions.begin(), mentions.end(),
                                   [this](const Mention& mention) { return mention.what == recommend_; });
  return advice == mentions.end() || advice->first_word < finding->end_word || advice->part <= finding->part;
}

bool PolarityRule::is_normal(const Mention& finding, const Clause& clause) const {
  if (!clause.concepts[judgement_]) return false;
  // Everybody has lymph nodes too, but a report that observes them means those that stand out.
  return measured_[finding.what] || (finding.what == lymph_node_ && (clause.concepts & asserting_).none());
}

}  // namespace fiducial
