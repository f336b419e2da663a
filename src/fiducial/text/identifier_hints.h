#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

enum class IdentifierKind { date, name, number, contact };
std::string_view to_string(IdentifierKind kind);

// A part of a text that may tell who a patient is.
struct IdentifierHint {
  IdentifierKind kind = IdentifierKind::date;
  std::size_t begin = 0;  // in characters (code points), half-open
  std::size_t end = 0;
  std::string text;

  friend bool operator==(const IdentifierHint&, const IdentifierHint&) = default;
};

// Patterns a person should look at: dates with a day or a month, names after a form of address or after
// "name", numbers after words such as MRN or "patient ID", e-mail addresses and telephone numbers. They are
// hints: a text without any may still tell who it is about. In the order of the text.
std::vector<IdentifierHint> identifier_hints(std::string_view text);

}  // namespace fiducial
