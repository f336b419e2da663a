#pragma once

#include <bitset>
#include <initializer_list>
#include <string_view>

#include "fiducial/findings/lexicon.h"

namespace fiducial {

using ConceptSet = std::bitset<Lexicon::max_concepts>;

// Concepts that the lexicon must have.
ConceptSet required_concepts(const Lexicon& lexicon, std::initializer_list<std::string_view> names);
ConceptSet concepts_of_kind(const Lexicon& lexicon, ConceptKind kind);

// Adds a concept, and the one it is part of.
void add_with_whole(ConceptSet& set, ConceptId what, const Lexicon& lexicon);

}  // namespace fiducial
