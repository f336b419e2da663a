#pragma once

#include <string>
#include <vector>

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
double meteor(const std::vector<std::string>& reference, const std::vector<std::string>& prediction,
              const Synonyms* synonyms = nullptr);

}  // namespace fiducial
