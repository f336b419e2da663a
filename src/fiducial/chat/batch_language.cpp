#include "fiducial/chat/batch_language.h"

#include <algorithm>

#include "fiducial/base/plain_text.h"

namespace fiducial {

Result<std::string> safe_batch_id(const std::string& id) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/.";
  constexpr std::size_t longest = 256;
  if (!id.empty() && id.size() <= longest && id.find_first_not_of(allowed) == std::string::npos &&
      id.find("..") == std::string::npos)
    return id;
  return invalid_data("expected an \"id\" of a batch or a file");
}

Result<std::vector<Json>> objects_by_line(std::string_view text) {
  std::vector<Json> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_blank(line)) continue;
    FIDUCIAL_TRY(Json object, parse_json(line));
    out.push_back(std::move(object));
  }
  return out;
}

}  // namespace fiducial
