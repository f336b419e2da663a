#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/report_facts.h"

namespace fiducial {

// The sides a text names; "both" and "bilateral" are two.
struct NamedSides {
  bool left = false;
  bool right = false;
  bool left_word = false;  // by its own name: "in both lungs, more on the left"
  bool right_word = false;

  bool any() const { return left || right; }
};
NamedSides sides_in(std::string_view text);
// The side that a text has and another has not, or that it singles out of both and another does not: "left",
// "right", or "".
std::string side_beyond(const NamedSides& text, const NamedSides& other);
// The same place on the other side: "right lung" for "left lung".
std::string mirrored(std::string_view place);

// The measurements of a text, in millimetres.
std::set<std::string> sizes_in(std::string_view text);

// What texts are about: the stems of their words, as written and in standard words, and the findings that the
// rules read there. Keeps memory from one text to the next; one thread at a time.
using Topics = std::set<std::string>;
class TopicReader {
 public:
  Topics of(std::string_view text);

 private:
  FactReader facts_;
};
// The topics that two texts share, as a part of all they have.
double likeness(const Topics& a, const Topics& b);

// Which text of a reply stands for which of its source, each for one, the likest first; none where nothing is
// left that is like it, beside what either is most like.
struct TextPair {
  std::optional<std::size_t> reply;
  double likeness = 0.0;
};
std::vector<TextPair> paired_texts(const std::vector<Topics>& source, const std::vector<Topics>& reply);

}  // namespace fiducial
