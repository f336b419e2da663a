#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

// Which words may stand for a word, beyond itself and words of the same stem.
class Synonyms {
 public:
  virtual ~Synonyms() = default;
  // Words that share a meaning with the word, in lower case where they are written so.
  virtual std::vector<std::string> of(const std::string& word) const = 0;
};

// METEOR as NLTK computes it for one reference, on words in lower case: exact words are aligned first, then
// stems, then synonyms of stems where a source of them is given. 0 without a match.
//
// Every distinct word is stemmed once, and the synonyms of a stem are looked up once. One thread at a time.
class MeteorScorer {
 public:
  struct Scores {
    double plain = 0;
    double with_synonyms = 0;  // as plain where there is no source of them
  };

  // The synonyms must outlive the scorer.
  explicit MeteorScorer(const Synonyms* synonyms = nullptr) : synonyms_(synonyms) {}

  Scores score(std::span<const std::string> reference, std::span<const std::string> prediction);

 private:
  // One text: its words and their stems as numbers, and the places that wait for a partner.
  struct Side {
    std::vector<WordId> words;
    std::vector<WordId> stems;
    std::vector<std::uint32_t> free_places;
  };

  Side side(std::span<const std::string> words);
  WordId stem_id(std::string_view stem);
  const std::vector<WordId>& words_for(WordId stem);
  template <typename WordsFor>
  void align(Side& reference, Side& prediction, std::vector<WordId> Side::*keys, const WordsFor& words_for);
  double value(std::size_t reference_words) const;

  const Synonyms* synonyms_;
  Vocabulary words_;
  Vocabulary stems_;
  std::vector<WordId> stem_of_;                 // each word
  std::vector<std::string> stem_texts_;         // by stem
  std::vector<std::vector<WordId>> words_for_;  // by stem: itself and its synonyms; empty where not looked up
  std::vector<std::uint32_t> last_;      // by word or stem: its last free place, from 1; 0 between calls
  std::vector<std::uint32_t> before_;    // by place: the free place of the same word before it, from 1
  std::vector<std::uint32_t> partners_;  // by predicted place: the place of the reference, from 1
};

double meteor(const std::vector<std::string>& reference, const std::vector<std::string>& prediction,
              const Synonyms* synonyms = nullptr);

}  // namespace fiducial
