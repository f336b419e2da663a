#include "fiducial/text/vocabulary.h"

#include <utility>

namespace fiducial {

WordId Vocabulary::add(std::string_view word, Slot slot) {
  letters_.append(word);
  ends_.push_back(letters_.size());
  if (2 * ends_.size() > slots_.size()) {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& known : before) {
      if (known.number != 0) place(known);
    }
  }
  slot.number = static_cast<WordId>(ends_.size());
  place(slot);
  return slot.number - 1;
}

void Vocabulary::place(const Slot& slot) {
  std::size_t at = slot.place() & mask();
  while (slots_[at].number != 0) at = (at + 1) & mask();
  slots_[at] = slot;
}

}  // namespace fiducial
