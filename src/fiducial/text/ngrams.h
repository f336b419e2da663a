#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

inline constexpr int longest_ngram = 4;

using NgramId = std::uint32_t;

// The n-grams of one text in their order, for n = 1 to 4 (index n - 1), as small numbers.
using Ngrams = std::array<std::vector<NgramId>, longest_ngram>;

// N-grams as small numbers: equal n-grams have equal numbers.
class NgramVocabulary {
 public:
  Ngrams ngrams(std::span<const WordId> words) {
    Ngrams out;
    out[0].assign(words.begin(), words.end());
    for (std::size_t n = 1; n < longest_ngram; ++n) {
      if (words.size() <= n) break;
      for (std::size_t i = 0; i + n < words.size(); ++i) {
        const std::uint64_t key = std::uint64_t{out[n - 1][i]} << 32U | words[i + n];
        auto& ids = ids_[n - 1];
        out[n].push_back(ids.try_emplace(key, static_cast<NgramId>(ids.size())).first->second);
      }
    }
    return out;
  }

 private:
  std::array<std::unordered_map<std::uint64_t, NgramId>, longest_ngram - 1> ids_;
};

}  // namespace fiducial
