#include "fiducial/spatial/entity_matching.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace fiducial {

namespace {

std::size_t place_of(std::int32_t index) { return static_cast<std::size_t>(index); }

// What a component gives: its cluster, and how much of it lies elsewhere.
struct ComponentHome {
  std::int32_t cluster = -1;
  std::int64_t excess = 0;
};

std::vector<ComponentHome> homes_of(const OverlapTable& table, const std::vector<std::int32_t>& clusters) {
  // Pairs ascend by entity, so each component meets the earlier clusters first.
  std::vector<std::vector<std::pair<std::int32_t, std::int64_t>>> shared(table.prediction.size());
  for (const OverlapTable::Pair& pair : table.pairs) {
    auto& of_component = shared[place_of(pair.prediction_index)];
    const std::int32_t cluster = clusters[place_of(pair.reference_index)];
    const auto known = std::find_if(of_component.begin(), of_component.end(),
                                    [cluster](const auto& each) { return each.first == cluster; });
    if (known == of_component.end()) {
      of_component.emplace_back(cluster, pair.voxels);
    } else {
      known->second += pair.voxels;
    }
  }
  std::vector<ComponentHome> out(shared.size());
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const auto most = std::max_element(shared[i].begin(), shared[i].end(), [](const auto& a, const auto& b) {
      return a.second < b.second || (a.second == b.second && a.first > b.first);
    });
    if (most != shared[i].end()) out[i] = {most->first, table.prediction[i].voxels - most->second};
  }
  return out;
}

// A component that shares voxels with an entity of its cluster.
struct Supporter {
  std::int32_t component = 0;
  std::int64_t shared = 0;
  std::int64_t excess = 0;
};

// Takes the supporters that give the largest Dice to the front and returns it with their number. Dice grows
// with s / (e + x), and the best set for a ratio r holds those with shared > r * excess.
struct BestSupport {
  double dice = 0;
  bool is_enough = false;
  std::size_t count = 0;
};

BestSupport best_support(std::int64_t entity_voxels, std::vector<Supporter>& supporters) {
  const auto rank = [](const Supporter& each) {
    return each.excess == 0 ? std::numeric_limits<double>::infinity()
                            : static_cast<double>(each.shared) / static_cast<double>(each.excess);
  };
  std::stable_sort(supporters.begin(), supporters.end(),
                   [&rank](const Supporter& a, const Supporter& b) { return rank(a) > rank(b); });
  std::int64_t shared = 0;
  std::int64_t whole = entity_voxels;  // e + s + x
  BestSupport best;
  for (std::size_t i = 0; i < supporters.size(); ++i) {
    shared += supporters[i].shared;
    whole += supporters[i].shared + supporters[i].excess;
    const double dice = static_cast<double>(2 * shared) / static_cast<double>(whole);
    if (dice > best.dice) best = {dice, 10 * shared >= whole, i + 1};
  }
  return best;
}

}  // namespace

std::vector<std::int32_t> entity_clusters(const LabelMap& entities, Connectivity connectivity) {
  const OverlapTable table = *overlap_table(entities, components(entities.foreground(), connectivity).labels);
  std::vector<std::int32_t> out(table.reference.size());
  std::iota(out.begin(), out.end(), 0);
  const auto root = [&out](std::int32_t entity) {
    while (out[place_of(entity)] != entity) entity = out[place_of(entity)];
    return entity;
  };
  std::vector<std::int32_t> first(table.prediction.size(), -1);  // the first entity of each component
  for (const OverlapTable::Pair& pair : table.pairs) {
    std::int32_t& known = first[place_of(pair.prediction_index)];
    if (known < 0) known = pair.reference_index;
    const std::int32_t a = root(known);
    const std::int32_t b = root(pair.reference_index);
    out[place_of(std::max(a, b))] = std::min(a, b);
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = root(static_cast<std::int32_t>(i));
  return out;
}

bool has_shared_component(const OverlapTable& table) {
  std::vector<bool> seen(table.prediction.size());
  for (const OverlapTable::Pair& pair : table.pairs) {
    const std::size_t component = place_of(pair.prediction_index);
    if (seen[component]) return true;
    seen[component] = true;
  }
  return false;
}

EntityMatching match_entities(const OverlapTable& table, const std::vector<std::int32_t>& clusters) {
  const std::vector<ComponentHome> homes = homes_of(table, clusters);
  std::vector<bool> used(table.prediction.size());
  EntityMatching out;
  std::size_t next = 0;
  for (std::size_t entity = 0; entity < table.reference.size(); ++entity) {
    std::vector<Supporter> supporters;
    for (; next < table.pairs.size() && place_of(table.pairs[next].reference_index) == entity; ++next) {
      const OverlapTable::Pair& pair = table.pairs[next];
      const ComponentHome& home = homes[place_of(pair.prediction_index)];
      if (home.cluster == clusters[entity])
        supporters.push_back({pair.prediction_index, pair.voxels, home.excess});
    }
    const BestSupport best = best_support(table.reference[entity].voxels, supporters);
    if (!best.is_enough) {
      ++out.unmatched_entities;
      continue;
    }
    out.dice.push_back(best.dice);
    for (std::size_t i = 0; i < best.count; ++i) used[place_of(supporters[i].component)] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) out.unmatched_components.push_back(table.prediction[i]);
  }
  return out;
}

}  // namespace fiducial
