#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/text/meteor.h"
#include "fiducial/text/vocabulary.h"

namespace fiducial {

// The three files of one part of speech of a WordNet database, as text.
struct WordNetFiles {
  std::string index;       // index.noun, ...: word, then where its meanings stand in data
  std::string data;        // data.noun, ...: one meaning a line
  std::string exceptions;  // noun.exc, ...: irregular form, then base forms
};

// Nouns, verbs, adjectives, adverbs of WordNet, for synonyms. Immutable once made.
class WordNet final : public Synonyms {
 public:
  // A folder with index.*, data.* and *.exc as WordNet 3 and Debian's package wordnet-base have them; "auto"
  // is where that package puts them.
  static Result<WordNet> open(const Path& folder);
  // In the order noun, verb, adjective, adverb.
  static Result<WordNet> parse(std::array<WordNetFiles, 4> parts);

  // Single words that share a meaning with a base form of the word, in any part of speech.
  std::vector<std::string> of(const std::string& word) const override;

  const Digest& digest() const { return digest_; }  // of the files that were opened, one after another

 private:
  using Offsets = std::vector<std::size_t>;
  struct Part {
    std::string data;
    std::unordered_map<std::string, Offsets, TextHash, std::equal_to<>> meanings;
    std::unordered_map<std::string, std::vector<std::string>, TextHash, std::equal_to<>> exceptions;
  };

  static Result<WordNet> open_usual();
  static Result<Part> parse_part(WordNetFiles files);
  static std::vector<std::string> base_forms(const Part& part, std::size_t speech, const std::string& word);
  static void append_words(const Part& part, std::size_t offset, std::vector<std::string>& out);

  std::array<Part, 4> parts_;
  Digest digest_;
};

}  // namespace fiducial
