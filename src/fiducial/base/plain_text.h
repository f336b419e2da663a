#pragma once

#include <ranges>
#include <string>
#include <string_view>

namespace fiducial {

// The white space of ASCII.
inline constexpr std::string_view ascii_blanks = " \t\n\v\f\r";

// Appends a part, after a separator unless it is the first.
inline void append_joined(std::string& out, std::string_view part, std::string_view separator = ", ") {
  if (!out.empty()) out += separator;
  out += part;
}

// The texts of a list, as text_of writes each, with a separator between them.
template <std::ranges::input_range List, typename TextOf>
std::string joined(const List& list, std::string_view separator, const TextOf& text_of) {
  std::string out;
  bool is_first = true;
  for (const auto& each : list) {
    if (!is_first) out += separator;
    out += text_of(each);
    is_first = false;
  }
  return out;
}

template <std::ranges::input_range List>
std::string joined(const List& list, std::string_view separator = ", ") {
  return joined(list, separator, [](const auto& each) { return std::string_view(each); });
}

// A text without the given characters at its ends; it lives as long as the text it is part of.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = ascii_blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// Whether there is nothing but white space.
inline bool is_blank(std::string_view text) { return trimmed(text).empty(); }

}  // namespace fiducial
