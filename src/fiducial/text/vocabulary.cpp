#include "fiducial/text/vocabulary.h"

namespace fiducial {

WordId Vocabulary::add(std::string_view word, std::size_t hash) {
  const auto id = static_cast<WordId>(ends_.size());
  letters_.append(word);
  ends_.push_back(letters_.size());
  if (2 * ends_.size() > slots_.size()) {
    slots_.assign(2 * slots_.size(), {});
    for (WordId known = 0; known < id; ++known) place(known, TextHash{}(word_of(known)));
  }
  place(id, hash);
  return id;
}

void Vocabulary::place(WordId id, std::size_t hash) {
  std::size_t at = hash & mask();
  while (slots_[at].number != 0) at = (at + 1) & mask();
  slots_[at] = {static_cast<std::uint32_t>(hash >> 32U), id + 1};
}

}  // namespace fiducial
