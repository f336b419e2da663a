#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

inline constexpr int longest_ngram = 4;

using NgramId = std::uint32_t;

// The n-grams of one text in their order, for n = 1 to 4 (index n - 1), as small numbers.
using Ngrams = std::array<std::vector<NgramId>, longest_ngram>;

// Pairs of an n-gram and the word that follows it, as small numbers in the order they were first seen.
class NgramTable {
 public:
  static constexpr NgramId none = 0xFFFFFFFF;

  static std::uint64_t key(NgramId shorter, WordId next) { return std::uint64_t{shorter} << 32U | next; }

  void clear(std::size_t expected);
  NgramId find(std::uint64_t key) const {
    for (std::size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].id == none || slots_[at].key == key) return slots_[at].id;
    }
  }
  NgramId find_or_add(std::uint64_t key) {
    for (std::size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].id == none) return add(key, at);
      if (slots_[at].key == key) return slots_[at].id;
    }
  }
  // Fetches what is needed to find it: tables are larger than caches.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[place(key)]); }
  std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    NgramId id = none;
  };

  std::size_t place(std::uint64_t key) const { return TextHash::mixed(0, key) & (slots_.size() - 1); }
  NgramId add(std::uint64_t key, std::size_t at);

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half of them taken
  std::size_t size_ = 0;
};

// N-grams as small numbers: equal n-grams have equal numbers.
class NgramVocabulary {
 public:
  Ngrams ngrams(std::span<const WordId> words);

 private:
  std::array<NgramTable, longest_ngram - 1> longer_;
};

// Counts the n-grams that two texts share, in memory that is kept from pair to pair. One thread at a time.
class SharedNgrams {
 public:
  // For n = 1 to 4: each n-gram as often as in the text that has it less often.
  std::array<std::int64_t, longest_ngram> count(std::span<const WordId> reference,
                                                std::span<const WordId> prediction);

 private:
  NgramTable known_;
  std::vector<NgramId> reference_;   // n-grams of the last length
  std::vector<NgramId> prediction_;  // NgramTable::none where the reference has no such n-gram
  std::vector<std::uint32_t> left_;  // by n-gram of the reference
};

}  // namespace fiducial
