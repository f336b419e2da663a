#include "fiducial/text/word_overlap.h"

#include <algorithm>
#include <bit>

namespace fiducial {

namespace {

// Pairs are counted in a table of all pairs of numbers up to this many, else they are sorted.
constexpr std::uint32_t most_numbers_in_table = 255;

std::size_t shared_sorted(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::size_t count = 0;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    if (*left == *right) ++count;
    const bool advances_left = *left <= *right;
    if (*right <= *left) ++right;
    if (advances_left) ++left;
  }
  return count;
}

// Neighbours that are both words of the reference.
std::vector<std::uint64_t> pairs_of(std::span<const std::uint32_t> numbers) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i - 1] != 0 && numbers[i] != 0) {
      out.push_back(std::uint64_t{numbers[i - 1]} << 32U | numbers[i]);
    }
  }
  return out;
}

}  // namespace

WordOverlap::Counts WordOverlap::count(std::span<const WordId> reference,
                                       std::span<const WordId> prediction) {
  if (reference.empty() || prediction.empty()) return {};
  number_words(reference, prediction);
  return {.words = shared_words(), .pairs = shared_pairs(), .subsequence = subsequence_length()};
}

void WordOverlap::number_words(std::span<const WordId> reference, std::span<const WordId> prediction) {
  const WordId greatest = std::max(*std::max_element(reference.begin(), reference.end()),
                                   *std::max_element(prediction.begin(), prediction.end()));
  if (numbers_.size() <= greatest) numbers_.resize(std::size_t{greatest} + 1);
  reference_.clear();
  prediction_.clear();
  distinct_ = 0;
  for (const WordId word : reference) {
    if (numbers_[word] == 0) numbers_[word] = ++distinct_;
    reference_.push_back(numbers_[word]);
  }
  for (const WordId word : prediction) prediction_.push_back(numbers_[word]);
  for (const WordId word : reference) numbers_[word] = 0;
}

std::size_t WordOverlap::shared_words() {
  counts_.assign(distinct_ + 1, 0);
  for (const std::uint32_t number : reference_) ++counts_[number];
  std::size_t out = 0;
  for (const std::uint32_t number : prediction_) {
    if (counts_[number] == 0) continue;  // of 0 there are none
    --counts_[number];
    ++out;
  }
  return out;
}

std::size_t WordOverlap::shared_pairs() {
  if (distinct_ > most_numbers_in_table) return shared_sorted(pairs_of(reference_), pairs_of(prediction_));
  const std::size_t side = distinct_ + 1;
  counts_.assign(side * side, 0);
  for (std::size_t i = 1; i < reference_.size(); ++i) ++counts_[reference_[i - 1] * side + reference_[i]];
  std::size_t out = 0;
  for (std::size_t i = 1; i < prediction_.size(); ++i) {
    std::uint32_t& left = counts_[prediction_[i - 1] * side + prediction_[i]];
    if (left == 0) continue;
    --left;
    ++out;
  }
  return out;
}

// The bit-parallel recurrence of Hyyrö (2004), a row a predicted word: v' = (v + (v & m)) | (v & ~m). A zero
// bit of v is a place of the reference where the length grows by one.
std::size_t WordOverlap::subsequence_length() {
  const std::size_t blocks = (reference_.size() + 63) / 64;
  places_.assign((distinct_ + 1) * blocks, 0);
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    places_[reference_[i] * blocks + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  row_.assign(blocks, ~std::uint64_t{0});
  for (const std::uint32_t number : prediction_) {
    if (number == 0) continue;
    const std::uint64_t* match = &places_[number * blocks];
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < blocks; ++k) {
      const std::uint64_t v = row_[k];
      const std::uint64_t partial = v + (v & match[k]);
      const std::uint64_t sum = partial + carry;
      carry = static_cast<std::uint64_t>(partial < v) | static_cast<std::uint64_t>(sum < partial);
      row_[k] = sum | (v & ~match[k]);
    }
  }
  std::size_t out = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::size_t width = std::min<std::size_t>(64, reference_.size() - k * 64);
    const std::uint64_t inside = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    out += static_cast<std::size_t>(std::popcount(~row_[k] & inside));
  }
  return out;
}

}  // namespace fiducial
