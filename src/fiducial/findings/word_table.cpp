#include "fiducial/findings/word_table.h"

namespace fiducial {

namespace {

// A polynomial over the bytes, so that the hash without one letter follows from those of the parts.
std::uint64_t hash_of(std::string_view word) {
  std::uint64_t hash = 0;
  for (const char c : word) hash = WordTable::hash_with(hash, c);
  return hash;
}

std::size_t slot_of(std::uint64_t hash, std::size_t slots) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>((hash ^ (hash >> 32)) * odd >> 32) & (slots - 1);
}

// Most words are short: they are compared as numbers.
bool is_same_word(std::string_view a, std::string_view b) {
  constexpr std::size_t longest_packed = 8;
  if (a.size() != b.size()) return false;
  return a.size() <= longest_packed ? TextHash::packed(a) == TextHash::packed(b) : a == b;
}

}  // namespace

template <typename Equal>
const WordTable::Entry* WordTable::find_entry(std::uint64_t hash, const Equal& equal) const {
  if (slots_.empty()) return nullptr;
  for (std::size_t slot = slot_of(hash, slots_.size()); slots_[slot] != 0;
       slot = (slot + 1) & (slots_.size() - 1)) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && equal(entry.word)) return &entry;
  }
  return nullptr;
}

WordId WordTable::insert(std::string_view word, WordId id) {
  const std::uint64_t hash = hash_of(word);
  if (const WordId known = find(word, hash)) return known;
  entries_.push_back({hash, id, std::string(word)});
  if (entries_.size() * 4 > slots_.size()) {
    grow();
    return id;
  }
  std::size_t slot = slot_of(entries_.back().hash, slots_.size());
  while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return id;
}

void WordTable::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = slot_of(entries_[i].hash, slots_.size());
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = i + 1;
  }
}

WordId WordTable::find(std::string_view word) const { return find(word, hash_of(word)); }

WordId WordTable::find(std::string_view word, std::uint64_t hash) const {
  const Entry* entry = find_entry(hash, [&](const std::string& each) { return is_same_word(each, word); });
  return entry != nullptr ? entry->id : unknown_word;
}

WordId WordTable::find_without_a_letter(std::string_view word) const {
  if (const WordId whole = find(word)) return whole;
  std::array<std::uint64_t, longest_word + 1> before{};  // hashes of the beginnings
  for (std::size_t i = 0; i < word.size(); ++i) {
    before[i + 1] = hash_with(before[i], word[i]);
  }
  std::uint64_t power = 1;  // of base, by the letters after the one left out
  for (std::size_t i = word.size(); i-- > 0; power *= hash_base) {
    const std::uint64_t after = before[word.size()] - before[i + 1] * power;
    const Entry* entry = find_entry(before[i] * power + after, [&](const std::string& each) {
      return each.size() + 1 == word.size() && std::string_view(each).substr(0, i) == word.substr(0, i) &&
             std::string_view(each).substr(i) == word.substr(i + 1);
    });
    if (entry != nullptr) return entry->id;
  }
  return unknown_word;
}

}  // namespace fiducial
