#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fiducial {

using WordId = std::uint32_t;

// Eight bytes at a time: words are short, and looked up for every word of every text.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = text.size() * odd;
    while (!text.empty()) {
      std::uint64_t bytes = 0;
      const std::size_t taken = text.size() < sizeof(bytes) ? text.size() : sizeof(bytes);
      std::memcpy(&bytes, text.data(), taken);
      hash = (hash ^ bytes) * odd;
      hash ^= hash >> 32U;
      text.remove_prefix(taken);
    }
    return hash;
  }
};

// Words as small numbers: equal words have equal numbers, in the order they were first seen.
class Vocabulary {
 public:
  WordId id_of(std::string_view word) {
    const auto known = ids_.find(word);
    if (known != ids_.end()) return known->second;
    const auto id = static_cast<WordId>(ids_.size());
    ids_.emplace(std::string(word), id);
    return id;
  }
  std::size_t size() const { return ids_.size(); }

 private:
  std::unordered_map<std::string, WordId, TextHash, std::equal_to<>> ids_;
};

}  // namespace fiducial
