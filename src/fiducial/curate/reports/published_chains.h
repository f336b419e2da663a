#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/reports/box_spellings.h"

namespace fiducial {

// A chain as somebody published it: texts and boxes in the order they stand, without a known frame.
struct PublishedChain {
  std::string volume;   // "" where the document does not say
  std::string split;    // the name of the list it stands in; "" where there is none
  std::string finding;  // its key
  std::string pointer;  // its place in the document
  std::vector<std::string> texts;
  std::vector<WrittenBox> boxes;
  std::int64_t odd_boxes = 0;  // arrays of numbers that are no boxes
};

// Finds the chains of a document whose keys nobody has specified: volumes are recognised by their names
// (train_12_a_1), boxes by six numbers ([6], [[3], [3]] or an object of them). Memory grows with the
// document.
std::vector<PublishedChain> find_published_chains(const Json& document);

}  // namespace fiducial
