#include "fiducial/server/mask_set.h"

#include <algorithm>
#include <cstdlib>

namespace fiducial {

const ServedMask* MaskSet::find(std::uint32_t id) const {
  const auto found = std::ranges::find(masks, id, &ServedMask::id);
  return found == masks.end() ? nullptr : &*found;
}

std::uint64_t MaskSet::bytes() const {
  std::uint64_t out = sizeof(MaskSet);
  for (const ServedMask& mask : masks) out += sizeof(ServedMask) + mask.labels.runs().size_bytes();
  return out;
}

std::optional<MaskPlace> place_of(const LabelMap& labels) {
  if (labels.empty()) return std::nullopt;
  const Extent& extent = labels.extent();
  std::vector<std::int64_t> counts(static_cast<std::size_t>(extent.z));
  MaskPlace out;
  for (const LabelRun& run : labels.runs()) {
    counts[static_cast<std::size_t>(run.row / extent.y)] += run.end - run.begin;
    out.voxels += run.end - run.begin;
  }
  out.largest_slice = std::ranges::max_element(counts) - counts.begin();
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  for (const LabelRun& run : labels.runs()) {
    if (run.row / extent.y != out.largest_slice) continue;
    rows += std::int64_t{run.row % extent.y} * (run.end - run.begin);
    columns += std::int64_t{run.begin + run.end - 1} * (run.end - run.begin);
  }
  const std::int64_t count = counts[static_cast<std::size_t>(out.largest_slice)];
  const std::int64_t middle_y = rows / count;
  const std::int64_t middle_x = columns / (2 * count);
  std::int64_t nearest = INT64_MAX;
  for (const LabelRun& run : labels.runs()) {
    if (run.row / extent.y != out.largest_slice) continue;
    const std::int64_t x = std::clamp<std::int64_t>(middle_x, run.begin, run.end - 1);
    const std::int64_t y = run.row % extent.y;
    const std::int64_t distance = (x - middle_x) * (x - middle_x) + (y - middle_y) * (y - middle_y);
    if (distance >= nearest) continue;
    nearest = distance;
    out.voxel = {x, y, out.largest_slice};
  }
  return out;
}

std::shared_ptr<const MaskSet> MaskStore::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(kept_, key, [](const auto& one) { return one.first; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->second;
}

void MaskStore::keep(const std::string& key, std::shared_ptr<const MaskSet> set) {
  const std::lock_guard lock(mutex_);
  kept_.emplace_front(key, std::move(set));
  std::uint64_t held = 0;
  for (auto at = kept_.begin(); at != kept_.end();) {
    held += at->second->bytes();
    at = held > budget_bytes_ && at != kept_.begin() ? kept_.erase(at) : std::next(at);
  }
}

}  // namespace fiducial
