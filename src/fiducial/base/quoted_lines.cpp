#include "fiducial/base/quoted_lines.h"

#include <algorithm>

#include "fiducial/base/printable.h"

namespace fiducial {

std::string quoted_lines(std::string_view output) {
  output = output.substr(0, output.find_last_not_of(" \r\n\t") + 1);
  std::string out;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    std::string_view line = output.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.append(quoted_line_start).append(line);
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return out;
}

std::string printable_message(std::string_view message) {
  std::string out;
  while (true) {
    const std::size_t at = message.find(quoted_line_start);
    out += printable(message.substr(0, at));
    if (at == std::string_view::npos) return out;
    out += quoted_line_start;
    message.remove_prefix(at + quoted_line_start.size());
  }
}

}  // namespace fiducial
