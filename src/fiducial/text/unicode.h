#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// Text as CPython's str sees it. Bytes that are not UTF-8 are taken one by one and never change.

// One code point and the rest of the text after it; the text is not empty.
struct FirstCodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
};
FirstCodePoint first_code_point(std::string_view text);

bool is_white_space(char32_t point);             // str.isspace, and \s of the module re
bool is_word_character(char32_t point);          // \w of the module re
std::string lower_cased(std::string_view text);  // str.lower
std::string case_folded(std::string_view text);  // str.casefold: one character may become several

std::string_view white_space_trimmed(std::string_view text);  // str.strip

// Without white space at the ends, and with one space for every run of it inside.
std::string white_space_collapsed(std::string_view text);

}  // namespace fiducial
