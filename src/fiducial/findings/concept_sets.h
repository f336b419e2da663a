#pragma once

#include <bitset>
#include <initializer_list>
#include <string_view>

#include "fiducial/findings/lexicon.h"

namespace fiducial {

using ConceptSet = std::bitset<Lexicon::max_concepts>;

// Concepts that the lexicon must have, without those that are part of them.
ConceptSet required_concepts(const Lexicon& lexicon, std::initializer_list<std::string_view> names);
ConceptSet concepts_of_kind(const Lexicon& lexicon, ConceptKind kind);

// A set, and every concept that is part of one in it.
ConceptSet with_parts(ConceptSet set, const Lexicon& lexicon);

// Adds a concept, and the one it is part of.
void add_with_whole(ConceptSet& set, ConceptId what, const Lexicon& lexicon);

}  // namespace fiducial
