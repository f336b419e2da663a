#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fiducial {

using WordId = std::uint32_t;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
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
