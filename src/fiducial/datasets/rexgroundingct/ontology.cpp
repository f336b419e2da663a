#include "fiducial/datasets/rexgroundingct/ontology.h"

#include "fiducial/findings/ontology.h"

namespace fiducial::rexgroundingct {

std::optional<Category> find_category(std::string_view code) {
  const OntologyCode* found = find_ontology_code(code);
  if (found == nullptr || !found->annotated) return std::nullopt;
  return Category{.code = found->code, .title = found->title, .focal = found->focal.value_or(false)};
}

std::map<std::string, std::string> category_titles() {
  std::map<std::string, std::string> out;
  for (const OntologyCode& each : ontology_codes()) {
    if (each.annotated) out.emplace(each.code, each.title);
  }
  return out;
}

std::string_view category_group(std::string_view code) {
  const auto category = find_category(code);
  return category ? category->code : uncategorized;
}

}  // namespace fiducial::rexgroundingct
