#include "fiducial/findings/concept_sets.h"

namespace fiducial {

ConceptSet required_concepts(const Lexicon& lexicon, std::initializer_list<std::string_view> names) {
  ConceptSet found;
  for (const std::string_view name : names) found.set(lexicon.required_concept(name));
  return found;
}

ConceptSet concepts_of_kind(const Lexicon& lexicon, ConceptKind kind) {
  ConceptSet found;
  for (std::size_t i = 0; i < lexicon.concepts().size(); ++i) found[i] = lexicon.concepts()[i].kind == kind;
  return found;
}

ConceptSet with_parts(ConceptSet set, const Lexicon& lexicon) {
  const std::vector<Concept>& concepts = lexicon.concepts();
  for (std::size_t i = 0; i < concepts.size(); ++i) {
    if (concepts[i].part_of && set[*concepts[i].part_of]) set.set(i);
  }
  return set;
}

void add_with_whole(ConceptSet& set, ConceptId what, const Lexicon& lexicon) {
  for (std::optional<ConceptId> next = what; next; next = lexicon.concepts()[*next].part_of) set.set(*next);
}

}  // namespace fiducial
