#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/findings/word_table.h"

namespace fiducial {

using ConceptId = std::uint16_t;

// What a concept is for: words that say how (denial, prior examinations, ...), where, what is seen, and what
// that is taken for.
enum class ConceptKind { cue, anatomy, finding, disorder };

struct Concept {
  std::string name;
  ConceptKind kind = ConceptKind::cue;
  std::optional<ConceptId> part_of;  // also said wherever this one is
};

// Phrases and what they stand for, read from a text that people can read too (data/lexicon.txt says how).
//
// Immutable. Words are compared in lower case; a long word of a finding or a place is also known with one
// letter wrong, missing, doubled or swapped.
class Lexicon {
 public:
  static constexpr std::size_t max_concepts = 320;

  static Result<Lexicon> parse(std::string_view text);
  // The lexicon of chest CT that is compiled in.
  static const Lexicon& chest_ct();

  const std::vector<Concept>& concepts() const { return concepts_; }
  std::optional<ConceptId> find_concept(std::string_view name) const;
  // The same for a name that the rules written in code rely on.
  ConceptId required_concept(std::string_view name) const;

  // The number of a word in lower case; unknown_word if no phrase holds it.
  WordId word(std::string_view lower) const;
  // The same for a reader that has its WordTable hash.
  WordId word(std::string_view lower, std::uint64_t hash) const;

  bool begins_phrase(WordId word) const { return word < first_.size() && first_[word] != 0; }

  struct Match {
    ConceptId what = 0;
    std::size_t words = 0;  // of the sequence that the phrase takes, joining signs included
  };
  // The longest phrase that begins a sequence of words; joining_sign stands for a hyphen or a slash.
  std::optional<Match> longest_match(std::span<const WordId> words) const;

  static constexpr WordId joining_sign = 0xFFFFFFFF;

 private:
  friend class LexiconParser;

  struct Node {
    std::int32_t accepts = -1;                           // a ConceptId
    std::vector<std::pair<WordId, std::uint32_t>> next;  // sorted by word
  };
  // Set in the word of a step that no joining sign may stand before.
  static constexpr WordId close = 0x80000000;
  std::uint32_t step(std::uint32_t node, WordId word) const;  // 0 where the phrase ends

  std::vector<Concept> concepts_;
  WordTable words_;
  WordTable misspelt_;  // words that may be misspelt, each with every one of its letters left out
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> first_;  // node after the first word, by word
};

}  // namespace fiducial
