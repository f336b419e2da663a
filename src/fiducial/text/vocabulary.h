#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

using WordId = std::uint32_t;

// Eight bytes at a time: words are short, and looked up for every word of every text.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    std::uint64_t hash = text.size() * odd;
    for (; text.size() >= sizeof(hash); text.remove_prefix(sizeof(hash))) {
      hash = mixed(hash, load<std::uint64_t>(text.data()));
    }
    return mixed(hash, rest(text));
  }

 private:
  static constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t bytes) {
    hash = (hash ^ bytes) * odd;
    return hash ^ hash >> 32U;
  }
  template <typename Word>
  static std::uint64_t load(const char* bytes) {
    Word out;
    std::memcpy(&out, bytes, sizeof(out));
    return out;
  }
  // Up to seven bytes, each at least once; the length is in the hash already.
  static std::uint64_t rest(std::string_view text) {
    const char* bytes = text.data();
    const std::size_t size = text.size();
    if (size >= 4) return load<std::uint32_t>(bytes) << 32U | load<std::uint32_t>(bytes + size - 4);
    if (size == 0) return 0;
    return load<std::uint8_t>(bytes) << 16U | load<std::uint8_t>(bytes + size / 2) << 8U |
           load<std::uint8_t>(bytes + size - 1);
  }
};

// Words as small numbers: equal words have equal numbers, in the order they were first seen.
class Vocabulary {
 public:
  WordId id_of(std::string_view word) {
    const std::size_t hash = TextHash{}(word);
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.number == 0) return add(word, hash);
      if (slot.hash == static_cast<std::uint32_t>(hash >> 32U) && word_of(slot.number - 1) == word) {
        return slot.number - 1;
      }
    }
  }
  std::size_t size() const { return ends_.size(); }

 private:
  // A word and the upper half of its hash; number 0 where there is none.
  struct Slot {
    std::uint32_t hash = 0;
    WordId number = 0;  // from 1
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::string_view word_of(WordId id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return std::string_view(letters_).substr(begin, ends_[id] - begin);
  }
  WordId add(std::string_view word, std::size_t hash);
  void place(WordId id, std::size_t hash);

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half of them taken
  std::string letters_;                              // of all words, one after another
  std::vector<std::size_t> ends_;                    // of each word in these
};

}  // namespace fiducial
