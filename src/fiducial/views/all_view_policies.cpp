#include <algorithm>

#include "fiducial/base/suggestion.h"
#include "fiducial/views/view_policy.h"

namespace fiducial {

#define FIDUCIAL_VIEW_POLICY(name) std::string_view embedded_##name();
#include "fiducial/views/all_view_policies.def"
#undef FIDUCIAL_VIEW_POLICY

const std::vector<ViewPolicy>& all_view_policies() {
  static const std::vector<ViewPolicy> policies = {
#define FIDUCIAL_VIEW_POLICY(name) ViewPolicy::parse(embedded_##name(), #name).value(),
#include "fiducial/views/all_view_policies.def"
#undef FIDUCIAL_VIEW_POLICY
  };
  return policies;
}

Result<ViewPolicy> ViewPolicy::load(const std::string& name_or_file) {
  if (name_or_file.ends_with(".json")) {
    FIDUCIAL_TRY(const std::string text, read_text_file(name_or_file, std::uint64_t{1} << 20));
    return parse(text, name_or_file);
  }
  std::vector<std::string> known;
  for (const ViewPolicy& each : all_view_policies()) {
    if (each.name == name_or_file) return each;
    known.push_back(each.name);
  }
  known.emplace_back("FILE.json");
  return no_such_name("view policy", name_or_file, known);
}

}  // namespace fiducial
