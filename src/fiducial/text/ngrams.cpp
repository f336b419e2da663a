#include "fiducial/text/ngrams.h"

#include <bit>
#include <utility>

namespace fiducial {

void NgramTable::clear(std::size_t expected) {
  slots_.assign(std::bit_ceil(2 * expected + 2), Slot{});
  size_ = 0;
}

NgramId NgramTable::add(std::uint64_t key, std::size_t at) {
  const auto id = static_cast<NgramId>(size_++);
  slots_[at] = {key, id};
  if (2 * size_ <= slots_.size()) return id;
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& known : before) {
    if (known.id == none) continue;
    std::size_t free = place(known.key);
    while (slots_[free].id != none) free = (free + 1) & (slots_.size() - 1);
    slots_[free] = known;
  }
  return id;
}

Ngrams NgramVocabulary::ngrams(std::span<const WordId> words) {
  Ngrams out;
  out[0].assign(words.begin(), words.end());
  for (std::size_t n = 1; n < longest_ngram && words.size() > n; ++n) {
    NgramTable& table = longer_[n - 1];
    const std::size_t count = words.size() - n;
    for (std::size_t i = 0; i < count; ++i) table.prefetch(NgramTable::key(out[n - 1][i], words[i + n]));
    out[n].resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      out[n][i] = table.find_or_add(NgramTable::key(out[n - 1][i], words[i + n]));
    }
  }
  return out;
}

std::array<std::int64_t, longest_ngram> SharedNgrams::count(std::span<const WordId> reference,
                                                            std::span<const WordId> prediction) {
  std::array<std::int64_t, longest_ngram> out{};
  reference_.assign(reference.size(), 0);
  prediction_.assign(prediction.size(), 0);
  for (std::size_t n = 0; n < longest_ngram && reference.size() > n && prediction.size() > n; ++n) {
    known_.clear(reference.size());
    left_.clear();
    for (std::size_t i = 0; i + n < reference.size(); ++i) {
      reference_[i] = known_.find_or_add(NgramTable::key(reference_[i], reference[i + n]));
      if (reference_[i] == left_.size()) left_.push_back(0);
      ++left_[reference_[i]];
    }
    for (std::size_t i = 0; i + n < prediction.size(); ++i) {
      if (prediction_[i] == NgramTable::none) continue;
      prediction_[i] = known_.find(NgramTable::key(prediction_[i], prediction[i + n]));
      if (prediction_[i] == NgramTable::none || left_[prediction_[i]] == 0) continue;
      --left_[prediction_[i]];
      ++out[n];
    }
  }
  return out;
}

}  // namespace fiducial
