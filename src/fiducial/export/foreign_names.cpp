#include "fiducial/export/foreign_names.h"

#include <algorithm>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

bool is_plain_letter(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
}

}  // namespace

Outcome check_foreign_names(std::span<const std::string> names, std::size_t most, const std::string& to) {
  std::map<std::string, const std::string*> seen;
  for (const std::string& name : names) {
    if (name.empty() || name.size() > most)
      return invalid_data("\"" + name.substr(0, 40) + "\" has " + decimal(name.size()) + " bytes; " + to +
                          " takes names of 1 to " + decimal(most));
    const auto odd = std::find_if_not(name.begin(), name.end(), is_plain_letter);
    if (odd != name.end() || name.front() == '.')
      return invalid_data("\"" + name + "\" is no name there: " + to +
                          " takes letters, digits, \".\", \"_\" and \"-\"");
    const auto [known, is_new] = seen.emplace(ascii_lower(name), &name);
    if (is_new) continue;
    return invalid_data("\"" + *known->second + "\" and \"" + name + "\" become one file" +
                        (name == *known->second ? "" : " where names are without case"));
  }
  return done();
}

}  // namespace fiducial
