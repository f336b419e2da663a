#include "fiducial/datasets/rexgroundingct/ontology.h"

namespace fiducial::rexgroundingct {

namespace {

constexpr Category categories[] = {
    {"1a", "bronchial wall thickening", false},
    {"1b", "bronchiectasis", false},
    {"1c", "emphysema", false},
    {"1d", "septal thickening", false},
    {"1e", "micronodules", false},
    {"1f", "other non-focal", false},
    {"2a", "linear opacity", true},
    {"2b", "atelectasis or consolidation", true},
    {"2c", "ground-glass opacity", true},
    {"2d", "nodule or mass", true},
    {"2e", "pleural effusion or thickening", true},
    {"2f", "honeycombing", true},
    {"2g", "pneumothorax", true},
    {"2h", "other focal", true},
};

}  // namespace

std::optional<Category> find_category(std::string_view code) {
  for (const Category& category : categories) {
    if (category.code == code) return category;
  }
  return std::nullopt;
}

std::map<std::string, std::string> category_titles() {
  std::map<std::string, std::string> out;
  for (const Category& category : categories) out.emplace(category.code, category.title);
  return out;
}

std::string_view category_group(std::string_view code) {
  const auto category = find_category(code);
  return category ? category->code : uncategorized;
}

}  // namespace fiducial::rexgroundingct
