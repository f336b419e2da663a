#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/curate/stage_call.h"

namespace fiducial {

// A chain as somebody published it: texts and boxes in the order they stand, without a known frame.
struct PublishedChain {
  std::string volume;   // "" where the document does not say
  std::string split;    // the name of the list it stands in; "" where there is none
  std::string finding;  // its key
  std::string pointer;  // its place in the document
  std::vector<std::string> texts;
  std::vector<std::array<double, 6>> boxes;  // as written
  std::int64_t odd_boxes = 0;                // arrays of numbers that are no boxes
};

// Finds the chains of a document whose keys nobody has specified: volumes are recognised by their names
// (train_12_a_1), boxes by six numbers ([6], [[3], [3]] or an object of them). Memory grows with the
// document.
std::vector<PublishedChain> find_published_chains(const Json& document);

// How six numbers are a box.
enum class BoxOrder { corners, axes };  // x y z x y z, or x x y y z z

// The order under which every box has its low end first; nothing where there is none, corners where both do.
std::optional<BoxOrder> box_order(const std::vector<PublishedChain>& chains);

// Whether every box lies in the one before; nothing with fewer than two.
std::optional<bool> boxes_contained(const PublishedChain& chain, BoxOrder order);

// The stage `cot` on a published document.
Outcome import_chains(StageCall& call);

}  // namespace fiducial
