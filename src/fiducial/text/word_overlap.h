#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

// Counts what two texts share, in memory that is kept from pair to pair. One thread at a time.
class WordOverlap {
 public:
  struct Counts {
    std::size_t words = 0;        // each as often as in the text that has it less often
    std::size_t pairs = 0;        // of neighbours, likewise
    std::size_t subsequence = 0;  // length of the longest common one
  };

  Counts count(std::span<const WordId> reference, std::span<const WordId> prediction);

 private:
  void number_words(std::span<const WordId> reference, std::span<const WordId> prediction);
  std::size_t shared_words();
  std::size_t shared_pairs();
  std::size_t subsequence_length();

  // Words of the reference as 1, 2, ... in the order they are first seen; words that are not in it are 0.
  std::vector<std::uint32_t> numbers_;  // by word; 0 between calls
  std::vector<std::uint32_t> reference_;
  std::vector<std::uint32_t> prediction_;
  std::uint32_t distinct_ = 0;
  std::vector<std::uint32_t> counts_;  // by number, or by pair of numbers
  std::vector<std::uint64_t> places_;  // by number: the places of a word in the reference, as bits
  std::vector<std::uint64_t> row_;
};

}  // namespace fiducial
