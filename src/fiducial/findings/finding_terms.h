#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// A finding with what its words say of it; "" where they say nothing of the kind.
struct FindingTerms {
  std::string one;   // its size and distribution: "subcentimeter nodule", "patchy ground glass"
  std::string many;  // and its number: "multiple subcentimeter nodules"
};

// `before` is the text of its clause up to its words; only the words that lead up to them count.
FindingTerms finding_terms(std::string_view name, std::string_view before);
// Whether a term speaks of more than one.
bool speaks_of_many(std::string_view term);

}  // namespace fiducial
