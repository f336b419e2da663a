#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

// A word that is in no table.
inline constexpr WordId unknown_word = 0;

// Words and their numbers, made to be asked for words that mostly are not there.
class WordTable {
 public:
  static constexpr std::size_t longest_word = 64;

  // Words that are there already keep their number. Returns the number of the word.
  WordId insert(std::string_view word, WordId id);

  // The hash of a word follows from that of all but its last byte; that of nothing is 0.
  static constexpr std::uint64_t hash_with(std::uint64_t hash, char next) {
    return hash * hash_base + static_cast<unsigned char>(next) + 1;
  }

  WordId find(std::string_view word) const;                      // unknown_word where it is not
  WordId find(std::string_view word, std::uint64_t hash) const;  // the same for a reader that has the hash
  // The number of a word that is this one, or this one with one letter left out. At most longest_word bytes.
  WordId find_without_a_letter(std::string_view word) const;
  std::size_t size() const { return entries_.size(); }

 private:
  static constexpr std::uint64_t hash_base = 0x9E3779B97F4A7C15;

  struct Entry {
    std::uint64_t hash = 0;
    WordId id = unknown_word;
    std::string word;
  };

  template <typename Equal>
  const Entry* find_entry(std::uint64_t hash, const Equal& equal) const;
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  // 1 + index of an entry, 0 where free
};

}  // namespace fiducial
