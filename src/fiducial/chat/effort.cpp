#include "fiducial/chat/effort.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "fiducial/base/plain_text.h"

namespace fiducial {

std::string_view embedded_efforts();  // data/efforts.txt

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!(text = trimmed(text)).empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// The efforts of the longest beginning that fits; none for a model that is not in the table.
std::vector<std::string> efforts_of(const std::string& model) {
  std::string_view rest = embedded_efforts();
  std::size_t longest = 0;
  std::vector<std::string> out;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    if (colon <= longest || !model.starts_with(line.substr(0, colon))) continue;
    longest = colon;
    out = words_of(line.substr(colon + 1));
  }
  return out;
}

}  // namespace

Outcome check_effort(const std::string& model, const std::string& effort) {
  const std::vector<std::string> known = efforts_of(model);
  if (known.empty() || std::find(known.begin(), known.end(), effort) != known.end()) return done();
  return bad_usage("--effort " + effort + ": " + model + " takes " + joined(known));
}

}  // namespace fiducial
