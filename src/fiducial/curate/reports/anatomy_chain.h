#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/base/json.h"

namespace fiducial {

// One step of narrowing a scan down to a finding.
struct ChainStep {
  std::string level;               // "scan", "region", "side", "lobe", "structure" or "finding"
  std::string structure;           // "left lung"
  std::string source;              // "mask", "label map", "union", "region", "volume" or "text"
  std::optional<VoxelBox> box;     // none: abstained
  std::vector<std::string> masks;  // that the box is of, by their structures' names
  std::string reason;              // why it was abstained from, or what is wrong with it
  bool contained = true;           // in the last step before it that has a box
};

// What came of the whole chain.
enum class ChainStatus {
  located,        // the last step has a box, and every box lies in the one before
  abstained,      // the place is named and could not be located
  no_place,       // the text names no place
  not_contained,  // a box leaves the one before
  side_conflict,  // the text names one side, the masks lie on the other
};
std::string_view to_string(ChainStatus status);

struct AnatomyChain {
  ChainStatus status = ChainStatus::no_place;
  std::vector<ChainStep> steps;
  std::vector<std::string> places;  // every deepest path the text speaks of
  std::string reason;
};

// The voxels of a finding, and how far around them its box reaches.
struct FindingMask {
  const Mask* mask = nullptr;
  std::int64_t margin_voxels = 2;
};

// Narrows a scan down to what a text speaks of: scan, region, side, lobe or structure, and the finding itself
// where its mask is given. places are the deepest paths of the text (ReportGrounder::findings). Where they
// differ, the chain ends at what they share.
AnatomyChain make_chain(const CaseMasks& masks, const std::vector<std::string>& places,
                        const std::optional<FindingMask>& finding);

// Boxes of voxels as [[x, y, z], [x, y, z]), and in mm towards right, front and head where the grid says
// where they are. Each step has its sentence.
Json chain_json(const AnatomyChain& chain, const CaseMasks& masks);

}  // namespace fiducial
