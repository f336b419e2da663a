#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/image/label_map.h"
#include "fiducial/spatial/components.h"
#include "fiducial/spatial/overlap.h"

namespace fiducial {

// The entities of a reference that a prediction found, and the components that found none.
struct EntityMatching {
  std::vector<double> dice;             // of the entities that were found, in the order of their labels
  std::int64_t unmatched_entities = 0;  // the others
  std::vector<OverlapTable::Label> unmatched_components;  // ascending labels
};

// For every entity of a map the number of its cluster: entities that touch, directly or by way of others,
// are one cluster, and so are all parts of an entity. Numbers follow the first entity of each cluster.
std::vector<std::int32_t> entity_clusters(const LabelMap& entities, Connectivity connectivity);

// Matches entities (the reference of the table) with components (its prediction), many to many:
//
// A component belongs to the one cluster that it shares most voxels with, the earlier of equals; what of it
// lies elsewhere is its excess. The prediction of an entity is the set of components of its cluster that
// gives the largest Dice, 2 s / (e + s + x): s voxels shared with the entity of e voxels, and x the whole
// excess of those components. An entity is found at a Dice of 1/5. So touching entities may be found by one
// component and an entity in parts by several, while a component that joins clusters finds entities of one.
EntityMatching match_entities(const OverlapTable& table, const std::vector<std::int32_t>& clusters);

// Whether any component shares voxels with several entities; without one, clusters do not matter.
bool has_shared_component(const OverlapTable& table);

}  // namespace fiducial
