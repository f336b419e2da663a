#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// One candidate diagnosis of an item.
struct LetteredOption {
  std::string letter;  // "A", "B", ...
  std::string text;
  std::string original;  // its key in the file, where that was an object

  friend bool operator==(const LetteredOption&, const LetteredOption&) = default;
};

// The text of a scalar as Python's str() writes it; nothing for null, lists and objects.
std::optional<std::string> scalar_text(const Json* value);

// The first of the fields whose text, without white space at the ends, is not empty; as it stands.
std::string first_text(const Json& item, std::initializer_list<const char*> names);

// A, B, ..., Z, AA, AB, ..., AZ, and the last 26 again.
std::string option_letter(std::size_t index);

// An ASCII letter in upper case, or nothing.
std::optional<char> single_letter(std::string_view text);
std::optional<char> first_ascii_letter(std::string_view text);

// Text that differs in case and white space only is the same.
std::string lower_norm(std::string_view text);
// The norm of option cropping: full case folding, one space for white space, then nothing but words and
// spaces. What is deleted leaves its neighbours as they stood.
std::string folded_norm(std::string_view text);

}  // namespace fiducial
