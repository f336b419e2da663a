#include "fiducial/cases/grounded_case.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string_view category_group(const Finding& finding) {
  return finding.category_title.empty() ? uncategorized : std::string_view(finding.category);
}

std::string patient_of(const std::string& volume_name) {
  const std::size_t tag_end = volume_name.find('_');
  if (tag_end == std::string::npos) return volume_name;
  const std::size_t number_end = volume_name.find('_', tag_end + 1);
  if (number_end == std::string::npos) return volume_name;
  const std::string number = volume_name.substr(tag_end + 1, number_end - tag_end - 1);
  return parse_integer(number) ? volume_name.substr(0, number_end) : volume_name;
}

}  // namespace fiducial
