#pragma once

#include <algorithm>
#include <string_view>

#include "fiducial/base/ascii.h"

namespace fiducial::http {

constexpr char lower(char c) { return is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether two names of fields are the same, in any case.
inline bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

// Whether a text can be the value of a field: no line end, no NUL, nothing that would begin another field.
inline bool is_field_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 0x7f; });
}

}  // namespace fiducial::http
