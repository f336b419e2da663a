#include "fiducial/spatial/components.h"

#include <algorithm>
#include <numeric>

#include "fiducial/base/case_budget.h"

namespace fiducial {

namespace {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::int32_t root(std::int32_t item) {
    while (parent(item) != item) {
      parent(item) = parent(parent(item));
      item = parent(item);
    }
    return item;
  }
  void unite(std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    parent(std::max(a, b)) = std::min(a, b);
  }

 private:
  std::int32_t& parent(std::int32_t item) { return parent_[static_cast<std::size_t>(item)]; }

  std::vector<std::int32_t> parent_;
};

// An earlier row that touches a row, and how far beyond a run its neighbours reach there.
struct NeighbourRow {
  std::int32_t dy;
  std::int32_t dz;
  std::int32_t reach;
};

std::vector<NeighbourRow> neighbour_rows(Connectivity connectivity) {
  switch (connectivity) {
    case Connectivity::faces6:
      return {{-1, 0, 0}, {0, -1, 0}};
    case Connectivity::edges18:
      return {{-1, 0, 1}, {0, -1, 1}, {-1, -1, 0}, {1, -1, 0}};
    case Connectivity::corners26:
      return {{-1, 0, 1}, {0, -1, 1}, {-1, -1, 1}, {1, -1, 1}};
  }
  FIDUCIAL_ASSERT(false);
}

bool are_of_one_label(const MaskRun&, const MaskRun&) { return true; }
bool are_of_one_label(const LabelRun& a, const LabelRun& b) { return a.label == b.label; }

// Joins every run with those of one neighbouring row; both positions only move forward.
template <typename Runs>
void unite_with(const Runs& mask, const NeighbourRow& neighbour, DisjointSets& sets) {
  const auto runs = mask.runs();
  const auto ny = static_cast<std::int32_t>(mask.extent().y);
  const std::int32_t offset = neighbour.dy + neighbour.dz * ny;
  std::size_t other = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int32_t y = runs[i].row % ny + neighbour.dy;
    if (y < 0 || y >= ny) continue;
    const std::int32_t row = runs[i].row + offset;
    const std::int32_t begin = runs[i].begin - neighbour.reach;
    const std::int32_t end = runs[i].end + neighbour.reach;
    while (other < runs.size() &&
           (runs[other].row < row || (runs[other].row == row && runs[other].end <= begin))) {
      ++other;
    }
    for (std::size_t j = other; j < runs.size() && runs[j].row == row && runs[j].begin < end; ++j) {
      if (are_of_one_label(runs[j], runs[i]))
        sets.unite(static_cast<std::int32_t>(j), static_cast<std::int32_t>(i));
    }
  }
}

// For each set the least place of its voxels in C order; sets are named by their root run.
struct FirstVoxel {
  std::int64_t place;
  std::int32_t root;
};

template <typename Runs>
std::vector<FirstVoxel> first_voxels(const Runs& mask, const std::vector<std::int32_t>& roots) {
  const Extent& extent = mask.extent();
  std::vector<FirstVoxel> out;
  std::vector<std::int32_t> slot(roots.size(), -1);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const auto& run = mask.runs()[i];
    const std::int64_t place =
        run.begin * extent.rows() + (run.row % extent.y) * extent.z + run.row / extent.y;
    std::int32_t& index = slot[static_cast<std::size_t>(roots[i])];
    if (index < 0) {
      index = static_cast<std::int32_t>(out.size());
      out.push_back({place, roots[i]});
    } else {
      auto& least = out[static_cast<std::size_t>(index)].place;
      least = std::min(least, place);
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  return out;
}

template <typename Runs>
Components components_of(const Runs& mask, Connectivity connectivity) {
  const auto runs = mask.runs();
  DisjointSets sets(runs.size());
  for (const NeighbourRow& neighbour : neighbour_rows(connectivity)) {
    if (CaseBudget::is_out_of_time()) break;  // whoever gave the time fails the case
    unite_with(mask, neighbour, sets);
  }
  std::vector<std::int32_t> roots(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) roots[i] = sets.root(static_cast<std::int32_t>(i));

  const std::vector<FirstVoxel> order = first_voxels(mask, roots);
  CaseBudget::met_components(static_cast<std::int64_t>(order.size()));
  std::vector<std::int32_t> id_of_root(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    id_of_root[static_cast<std::size_t>(order[i].root)] = static_cast<std::int32_t>(i) + 1;
  }
  std::vector<LabelRun> labelled;
  labelled.reserve(runs.size());
  std::vector<std::int64_t> voxels(order.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int32_t id = id_of_root[static_cast<std::size_t>(roots[i])];
    labelled.push_back({runs[i].row, runs[i].begin, runs[i].end, id});
    voxels[static_cast<std::size_t>(id) - 1] += runs[i].end - runs[i].begin;
  }
  return {LabelMap(mask.grid(), std::move(labelled)), std::move(voxels)};
}

}  // namespace

Components components(const Mask& mask, Connectivity connectivity) {
  return components_of(mask, connectivity);
}

Components components(const LabelMap& labels, Connectivity connectivity) {
  return components_of(labels, connectivity);
}

std::vector<std::int32_t> kept_ids(const std::vector<std::int64_t>& voxels, std::int64_t min_voxels,
                                   std::int32_t most) {
  std::vector<std::size_t> large;
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    if (voxels[i] >= min_voxels) large.push_back(i);
  }
  std::vector<std::int32_t> out(voxels.size());
  for (std::size_t i = 0; i < large.size(); ++i) out[large[i]] = static_cast<std::int32_t>(i) + 1;
  if (large.size() <= static_cast<std::size_t>(most)) return out;
  std::stable_sort(large.begin(), large.end(),
                   [&voxels](std::size_t a, std::size_t b) { return voxels[a] > voxels[b]; });
  for (std::size_t i = static_cast<std::size_t>(most); i < large.size(); ++i) out[large[i]] = 0;
  return out;
}

Components without_small(const Components& all, std::int64_t min_voxels) {
  std::vector<std::int32_t> new_id(all.voxels.size() + 1);
  std::vector<std::int64_t> voxels;
  for (std::size_t i = 0; i < all.voxels.size(); ++i) {
    if (all.voxels[i] < min_voxels) continue;
    voxels.push_back(all.voxels[i]);
    new_id[i + 1] = static_cast<std::int32_t>(voxels.size());
  }
  return {all.labels.relabelled([&](std::int32_t id) { return new_id[static_cast<std::size_t>(id)]; }),
          std::move(voxels)};
}

Components largest(const Components& all, std::int32_t most) {
  if (all.count() <= most) return all;
  std::vector<std::size_t> order(all.voxels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&all](std::size_t a, std::size_t b) { return all.voxels[a] > all.voxels[b]; });
  std::vector<std::int64_t> voxels(all.voxels.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(most); ++i) voxels[order[i]] = all.voxels[order[i]];
  LabelMap labels = all.labels.relabelled(
      [&voxels](std::int32_t id) { return voxels[static_cast<std::size_t>(id) - 1] > 0 ? id : 0; });
  return {std::move(labels), std::move(voxels)};
}

}  // namespace fiducial
