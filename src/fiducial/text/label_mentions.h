#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Names that mean the same, such as "pulmonary embolism" and "PE".
class LabelSynonyms {
 public:
  // One group of names a line, separated by '|'; blank lines and lines that start with '#' are skipped.
  // Refuses, with the line, text that is not UTF-8 and a group of less than two names.
  static Result<LabelSynonyms> read(const Path& path);
  static Result<LabelSynonyms> parse(std::string_view text);

  // The other names of the groups that a name is in.
  std::vector<std::string> of(std::string_view name) const;

 private:
  std::vector<std::vector<std::string>> groups_;
  std::multimap<std::string, std::size_t> by_name_;  // folded
};

// How openly a text names a diagnosis.
enum class LeakLevel {
  l1 = 1,  // with a doubt, or by its words apart from each other
  l2 = 2,  // by a synonym, an acronym or what stands in brackets
  l3 = 3,  // by its own name
};
std::string_view to_string(LeakLevel level);  // "L1" to "L3"

// A place where a text names one of several diagnoses.
struct LabelMention {
  std::size_t label = 0;  // index into the labels that were looked for
  LeakLevel level = LeakLevel::l3;
  std::size_t begin = 0;  // in characters (code points), half-open
  std::size_t end = 0;
  std::string text;         // verbatim
  bool is_negated = false;  // "no evidence of", "was excluded": it is named, but not as what the patient has
  bool is_uncertain = false;  // "suspected", "?": its level is L1
  std::string cue;            // the word that says so

  friend bool operator==(const LabelMention&, const LabelMention&) = default;
};

// Every place where a text names a label, by folded words (folded_words.h) and without any model: the label
// itself, the label without its brackets, what the brackets hold, and synonyms. Words of a label that stand
// apart in one sentence are an L1. Names of up to three letters and of capitals count only in their own case.
// A mention inside a longer one of another label is left out. In the order of the text; at most 64 a label.
std::vector<LabelMention> label_mentions(std::string_view text, std::span<const std::string> labels,
                                         const LabelSynonyms& synonyms);

}  // namespace fiducial
