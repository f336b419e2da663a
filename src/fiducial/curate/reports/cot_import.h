#pragma once

#include <optional>
#include <vector>

#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/curate/reports/published_chains.h"

namespace fiducial {

// How six numbers are a box.
enum class BoxOrder { corners, axes };  // x y z x y z, or x x y y z z

// The order under which every box has its low end first; nothing where there is none, corners where both do.
std::optional<BoxOrder> box_order(const std::vector<PublishedChain>& chains);

// Whether every box lies in the one before; nothing with fewer than two.
std::optional<bool> boxes_contained(const PublishedChain& chain, BoxOrder order);

// The stage `cot` on a published document.
Outcome import_chains(StageCall& call);

}  // namespace fiducial
