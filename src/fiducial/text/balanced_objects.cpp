#include "fiducial/text/balanced_objects.h"

namespace fiducial {

std::vector<std::string_view> balanced_objects(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  bool in_string = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = depth > 0;
    } else if (c == '{') {
      if (depth++ == 0) begin = at;
    } else if (c == '}' && depth > 0 && --depth == 0) {
      out.push_back(text.substr(begin, at - begin + 1));
    }
  }
  return out;
}

}  // namespace fiducial
