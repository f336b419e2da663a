#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fiducial {

// Where the words of a finding begin and end in its clause, and what ties them to others.

// Without the words that only tie a clause to the one before it.
std::string_view without_opening(std::string_view text);
// Without the signs and words that tie a text to the one after it: "opacities are", "an area in which".
std::string_view without_end(std::string_view text);
// Whether a part of a text holds words that tie the finding after it to the one before.
bool has_link(std::string_view text, std::size_t begin, std::size_t end);
// Where the last comma, "and", "or" or "with" begins; 0 where there is none.
std::size_t last_conjunction(std::string_view text);
// The words of a finding with those of its place: "nodules in the left lung", "subpleural reticulation".
std::string placed_words(std::string_view words, std::string_view place);
// In small letters, but for short words, where a text of several words has none: "A NODULE IN THE RUL".
std::string without_capitals(std::string_view text);
// An entry of a template as a phrase: "Emphysema: yes" is emphysema, "Nodules: multiple, 4 mm" nodules with
// what is said of them, "Heart: enlarged" an enlarged heart. `names` where the words before the colon name
// the finding, `is_needed` where what follows says nothing without its place.
struct EntryParts {
  bool names = false;
  bool is_needed = false;
};
std::string entry_words(std::string_view words, const EntryParts& parts);
// Where the answer of an entry begins, after its colon; nothing where a text is no entry.
std::optional<std::size_t> answer_of_entry(std::string_view words);

// Whether a text begins with words that stand for something said before: "They", "The appearance", "The
// nodules described".
bool opens_with_pointer(std::string_view text);
// Whether a text begins with words that stand for a finding, or hang on one, that it does not name: "which",
// "is observed". "The largest of the nodules" names it.
bool hangs_on_others(std::string_view text);
// Where the noun phrase begins that ends at a byte: after the last verb, preposition or sign before it.
std::size_t begin_of_phrase(std::string_view text, std::size_t noun);

}  // namespace fiducial
