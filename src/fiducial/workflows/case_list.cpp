#include "fiducial/workflows/case_list.h"

#include <algorithm>

#include "fiducial/base/plain_text.h"

namespace fiducial {

Result<std::set<std::string>> read_case_list(const Path& file) {
  std::set<std::string> out;
  FIDUCIAL_TRY(const std::string text, read_text_file(file, std::uint64_t{64} << 20));
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view title = trimmed(rest.substr(0, end));
    if (!title.empty()) out.emplace(title);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (out.empty())
    return Error(ErrorCode::invalid_data, "expected titles of cases, found none",
                 Place{.path = file.string()});
  return out;
}

}  // namespace fiducial
