#include "fiducial/cases/diagnostic_case.h"

#include <algorithm>

namespace fiducial {

namespace {

// Characters of a UTF-8 text: every byte that does not continue one.
std::ptrdiff_t character_count(const std::string& text) {
  return std::count_if(text.begin(), text.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
}

}  // namespace

bool DiagnosticCase::key_is_longest() const {
  const std::size_t at = letters.find(key);
  const std::ptrdiff_t longest = character_count(options[at]);
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (i != at && character_count(options[i]) >= longest) return false;
  }
  return true;
}

bool DiagnosticCase::has_equal_options() const {
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (std::find(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(i), options[i]) !=
        options.begin() + static_cast<std::ptrdiff_t>(i)) {
      return true;
    }
  }
  return false;
}

}  // namespace fiducial
