#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fiducial/synth/chest_volume.h"
#include "fiducial/synth/findings_painter.h"

namespace fiducial {

// What can be read off one entity's voxels.
struct EntityFacts {
  std::int64_t voxels = 0;
  std::uint8_t lobe = 0;  // the label that most of its voxels lie in
  int diameter_mm = 0;    // longest diameter in any axial slice
  int thickness_mm = 0;   // longest way from front to back

  bool left() const;
};

// What can be read off a finding's voxels; texts are made from this and nothing else.
struct FindingFacts {
  FindingKind kind = FindingKind::nodules;
  std::vector<EntityFacts> entities;  // entity i + 1
  std::uint8_t main_lobe = 0;         // the label that most voxels of all entities lie in

  std::int64_t voxels() const;
  bool left() const;   // some entity lies in the left lung
  bool right() const;  // some entity lies in the right lung
  const EntityFacts& largest() const;
};

// Entities that lost all voxels to their neighbours are not counted; ids are renumbered without gaps.
FindingFacts measured(PaintedFinding& finding, const ChestVolume& chest);

}  // namespace fiducial
