#include "fiducial/text/common_subsequence.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace fiducial {

namespace {

using Word64 = std::uint64_t;

// For each distinct word of a text, the set of its places as bits.
class PlaceBits {
 public:
  explicit PlaceBits(std::span<const WordId> text) : blocks_((text.size() + 63) / 64) {
    std::vector<WordId> distinct(text.begin(), text.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    words_ = std::move(distinct);
    bits_.assign(words_.size() * blocks_, 0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      bits_[index_of(text[i]) * blocks_ + i / 64] |= Word64{1} << (i % 64);
    }
  }

  std::size_t blocks() const { return blocks_; }

  // The places of a word, or nullptr when it does not occur.
  const Word64* find(WordId word) const {
    const std::size_t at = index_of(word);
    return at < words_.size() && words_[at] == word ? &bits_[at * blocks_] : nullptr;
  }

 private:
  std::size_t index_of(WordId word) const {
    return static_cast<std::size_t>(std::lower_bound(words_.begin(), words_.end(), word) - words_.begin());
  }

  std::size_t blocks_;
  std::vector<WordId> words_;
  std::vector<Word64> bits_;
};

// One row of the bit-parallel recurrence of Hyyrö (2004): v' = (v + (v & m)) | (v & ~m). A zero bit of v is a
// column where the length grows by one.
void advance(std::vector<Word64>& row, const Word64* match) {
  Word64 carry = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const Word64 v = row[k];
    const Word64 both = v & match[k];
    const Word64 partial = v + both;
    const Word64 sum = partial + carry;
    carry = static_cast<Word64>(partial < v) | static_cast<Word64>(sum < partial);
    row[k] = sum | (v & ~match[k]);
  }
}

// Zero bits among the first `count`.
std::size_t zero_bits(const std::vector<Word64>& row, std::size_t count) {
  std::size_t zeros = 0;
  for (std::size_t k = 0; k * 64 < count; ++k) {
    const std::size_t width = std::min<std::size_t>(64, count - k * 64);
    const Word64 inside = width == 64 ? ~Word64{0} : (Word64{1} << width) - 1;
    zeros += static_cast<std::size_t>(std::popcount(~row[k] & inside));
  }
  return zeros;
}

}  // namespace

std::vector<std::size_t> common_subsequence_places(std::span<const WordId> reference,
                                                   std::span<const WordId> prediction) {
  std::vector<std::size_t> out;
  if (reference.empty() || prediction.empty()) return out;
  // Row i of the table, for the first i reference words, as increments over the prediction.
  const PlaceBits places(prediction);
  std::vector<std::vector<Word64>> rows{std::vector<Word64>(places.blocks(), ~Word64{0})};
  for (const WordId word : reference) {
    rows.push_back(rows.back());
    if (const Word64* match = places.find(word)) advance(rows.back(), match);
  }
  std::size_t i = reference.size();
  std::size_t j = prediction.size();
  while (i > 0 && j > 0) {
    if (reference[i - 1] == prediction[j - 1]) {
      out.push_back(i - 1);
      --i;
      --j;
    } else if (zero_bits(rows[i], j - 1) > zero_bits(rows[i - 1], j)) {
      --j;
    } else {
      --i;
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace fiducial
