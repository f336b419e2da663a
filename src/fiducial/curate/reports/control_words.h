#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fiducial {

// The words that control prompts are made of (data/control_words.txt says how).
struct ControlWords {
  using WordSet = std::set<std::string, std::less<>>;
  struct Asked {
    std::string family;
    std::string prompt;
  };

  std::map<std::string, Asked, std::less<>> asked;           // by finding
  std::map<std::string, std::string, std::less<>> families;  // of findings that are not asked for
  std::vector<std::pair<std::string, std::string>> same;     // tried both ways
  std::vector<std::pair<std::string, std::string>> says;     // one way
  WordSet narrows, limits, points, one_sided, in_lobe;

  static const ControlWords& known();
  // Whether any word of a text is of a set.
  static bool names_any(const WordSet& set, std::string_view text);
  // A finding that the words do not know is a family of its own.
  std::string family_of(const std::string& finding) const;
};

// The text with one phrase, which stands between words, put in the place of another: the first one, or all. A
// capital stays one. Nothing where the phrase is not there.
std::optional<std::string> with_phrase(const std::string& text, std::string_view from, std::string_view to,
                                       bool all = false);
// The words of a text in lower case: what stands between signs and blanks.
std::vector<std::string> lower_words(std::string_view text);

}  // namespace fiducial
