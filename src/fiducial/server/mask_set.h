#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/image/label_map.h"

namespace fiducial {

// A mask of a case with the number it is asked for by.
struct ServedMask {
  std::uint32_t id = 0;
  std::string name;  // of an organ; empty for findings, which the case names
  LabelMap labels;
};

// Masks of a case on one grid: the reference, a run's prediction, the organs.
struct MaskSet {
  Extent extent;
  bool has_entities = false;
  std::vector<ServedMask> masks;

  const ServedMask* find(std::uint32_t id) const;
  std::uint64_t bytes() const;
};

// The voxel of a mask that a viewer goes to: on the slice with most of its voxels, in the longest run nearest
// to their middle. Nothing of an empty mask.
struct MaskPlace {
  std::array<std::int64_t, 3> voxel{0, 0, 0};
  std::int64_t largest_slice = 0;
  std::int64_t voxels = 0;
};
std::optional<MaskPlace> place_of(const LabelMap& labels);

// Sets that were read, within a budget of memory: the least recently used ones go first. Safe from any
// thread.
class MaskStore {
 public:
  explicit MaskStore(std::uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  std::shared_ptr<const MaskSet> find(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const MaskSet> set);

 private:
  std::uint64_t budget_bytes_;
  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<const MaskSet>>> kept_;
};

}  // namespace fiducial
