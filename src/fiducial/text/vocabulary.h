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
    std::uint64_t hash = mixed(text.size(), 0);
    for (; text.size() > sizeof(hash); text.remove_prefix(sizeof(hash))) {
      hash = mixed(hash, load<std::uint64_t>(text.data()));
    }
    return mixed(hash, packed(text));
  }

  static std::uint64_t mixed(std::uint64_t hash, std::uint64_t bytes) {
    hash = (hash ^ bytes) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 32U;
  }
  // At most eight bytes as a number: different ones of one size have different numbers.
  static std::uint64_t packed(std::string_view text) {
    const char* bytes = text.data();
    const std::size_t size = text.size();
    if (size == 8) return load<std::uint64_t>(bytes);
    if (size >= 4) return load<std::uint32_t>(bytes) << 32U | load<std::uint32_t>(bytes + size - 4);
    if (size == 0) return 0;
    return load<std::uint8_t>(bytes) << 16U | load<std::uint8_t>(bytes + size / 2) << 8U |
           load<std::uint8_t>(bytes + size - 1);
  }

 private:
  template <typename Word>
  static std::uint64_t load(const char* bytes) {
    Word out;
    std::memcpy(&out, bytes, sizeof(out));
    return out;
  }
};

// Words as small numbers: equal words have equal numbers, in the order they were first seen.
class Vocabulary {
 public:
  WordId id_of(std::string_view word) {
    const bool is_short = word.size() <= 8;
    const Slot sought{is_short ? TextHash::packed(word) : TextHash{}(word), word.size()};
    for (std::size_t at = sought.place() & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.number == 0) return add(word, sought);
      if (slot.bytes == sought.bytes && slot.size == sought.size &&
          (is_short || word_of(slot.number - 1) == word)) {
        return slot.number - 1;
      }
    }
  }
  std::size_t size() const { return ends_.size(); }

 private:
  // A word: its bytes where they are few, else their hash. Number 0 where there is none.
  struct Slot {
    Slot() = default;
    Slot(std::uint64_t bytes_or_hash, std::size_t length)
        : bytes(bytes_or_hash), size(static_cast<std::uint32_t>(length)) {}

    std::size_t place() const { return TextHash::mixed(size, bytes); }

    std::uint64_t bytes = 0;
    std::uint32_t size = 0;  // modulo 2^32
    WordId number = 0;       // from 1
  };

  std::size_t mask() const { return slots_.size() - 1; }
  std::string_view word_of(WordId id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return {letters_.data() + begin, ends_[id] - begin};
  }
  WordId add(std::string_view word, Slot slot);
  void place(const Slot& slot);

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half of them taken
  std::string letters_;                              // of all words, one after another
  std::vector<std::size_t> ends_;                    // of each word in these
};

}  // namespace fiducial
