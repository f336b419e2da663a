#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// Length in bytes of the white-space character that the text begins with, 0 if there is none. The characters
// are those that Python's str.split() takes for white space.
std::size_t white_space_length(std::string_view text);

// The words between white space, Unicode's included. Views into the text.
std::vector<std::string_view> white_space_words(std::string_view text);

// The text with spaces between the words that mteval's "13a" tokenizer makes, as sacrebleu writes it; case is
// kept.
std::string spaced_13a(std::string_view text);
// These words.
std::vector<std::string> words_13a(std::string_view text);

// Lower case as Python does for the letters A to Z only; other bytes stay.
std::string ascii_lower(std::string_view text);

}  // namespace fiducial
