#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fiducial {

// One of the 62 codes that findings of a chest CT are sorted by, as data/ontology.txt has them.
struct OntologyCode {
  std::string_view code;        // "2d"
  std::string_view title;       // "nodule or mass"
  std::string_view group;       // title of the group, "Lungs, airways and pleura, typically focal"
  std::string_view in_group;    // what it is called beside that title; empty where that says it all
  std::optional<bool> focal{};  // nothing where the ontology does not say
  bool annotated = false;       // findings of this code have masks
};

// All codes, in their order.
std::span<const OntologyCode> ontology_codes();

// A code, or nullptr.
const OntologyCode* find_ontology_code(std::string_view code);

// The whole ontology as a text for people and models: "Bones without a lesion: 4a fracture, 4b ...".
std::string ontology_text();

}  // namespace fiducial
