#include "fiducial/synth/finding_facts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/error.h"
#include "fiducial/synth/organ_labels.h"

namespace fiducial {

namespace {

struct SlicePoint {
  double x;
  double y;
};

double farthest_pair(const std::vector<SlicePoint>& points) {
  double best = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double dx = points[i].x - points[j].x;
      const double dy = points[i].y - points[j].y;
      best = std::max(best, dx * dx + dy * dy);
    }
  }
  return std::sqrt(best);
}

// The ends of an entity's rows in one slice; they hold its farthest pair.
std::vector<SlicePoint> row_ends(const PaintedFinding& finding, const ChestFrame& frame, std::int64_t z,
                                 std::uint8_t id) {
  std::vector<SlicePoint> ends;
  for (std::int64_t y = 0; y < frame.extent.y; ++y) {
    const std::uint8_t* row = finding.entities.data() + frame.index({0, y, z});
    const std::uint8_t* const row_end = row + frame.extent.x;
    const std::uint8_t* const first = std::find(row, row_end, id);
    if (first == row_end) continue;
    const std::uint8_t* last = row_end - 1;
    while (*last != id) --last;
    const double y_mm = static_cast<double>(y) * frame.spacing_mm[1];
    ends.push_back({static_cast<double>(first - row) * frame.spacing_mm[0], y_mm});
    ends.push_back({static_cast<double>(last - row) * frame.spacing_mm[0], y_mm});
  }
  return ends;
}

int rounded_mm(double value) { return static_cast<int>(std::floor(value + 0.5)); }

int longest_column_mm(const PaintedFinding& finding, const ChestFrame& frame, std::uint8_t id) {
  std::int64_t longest = 0;
  std::vector<std::int64_t> column(static_cast<std::size_t>(frame.extent.x));
  for (std::int64_t z = 0; z < frame.extent.z; ++z) {
    std::fill(column.begin(), column.end(), 0);
    for (std::int64_t y = 0; y < frame.extent.y; ++y) {
      const std::uint8_t* row = finding.entities.data() + frame.index({0, y, z});
      for (std::size_t x = 0; x < column.size(); ++x) {
        column[x] = row[x] == id ? column[x] + 1 : 0;
        longest = std::max(longest, column[x]);
      }
    }
  }
  return rounded_mm(static_cast<double>(longest) * frame.spacing_mm[1]);
}

// The label under most of the voxels that a test on their id selects.
template <typename Selected>
std::uint8_t commonest_label(const PaintedFinding& finding, const ChestVolume& chest, Selected selected) {
  std::array<std::int64_t, 256> count{};
  for (std::size_t i = 0; i < finding.entities.size(); ++i) {
    if (selected(finding.entities[i])) ++count[chest.organs[i]];
  }
  return static_cast<std::uint8_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

EntityFacts entity_facts(const PaintedFinding& finding, const ChestVolume& chest, std::uint8_t id) {
  EntityFacts facts;
  facts.voxels = std::count(finding.entities.begin(), finding.entities.end(), id);
  facts.lobe = commonest_label(finding, chest, [id](std::uint8_t entity) { return entity == id; });
  double diameter = 0;
  for (std::int64_t z = 0; z < chest.frame.extent.z; ++z) {
    diameter = std::max(diameter, farthest_pair(row_ends(finding, chest.frame, z, id)));
  }
  // From voxel centres to outer edges.
  facts.diameter_mm = rounded_mm(diameter + chest.frame.spacing_mm[0]);
  facts.thickness_mm = longest_column_mm(finding, chest.frame, id);
  return facts;
}

// Ids 1 .. n without gaps, in the old order; returns n.
int renumber(std::vector<std::uint8_t>& entities) {
  std::array<std::uint8_t, 256> present{};
  for (const std::uint8_t id : entities) present[id] = 1;
  std::array<std::uint8_t, 256> renumbered{};
  std::uint8_t count = 0;
  for (std::size_t id = 1; id < present.size(); ++id) {
    if (present[id] != 0) renumbered[id] = ++count;
  }
  for (std::uint8_t& id : entities) id = renumbered[id];
  return count;
}

}  // namespace

bool EntityFacts::left() const { return is_left_lobe(lobe); }

std::int64_t FindingFacts::voxels() const {
  std::int64_t sum = 0;
  for (const EntityFacts& entity : entities) sum += entity.voxels;
  return sum;
}

bool FindingFacts::left() const {
  return std::any_of(entities.begin(), entities.end(), [](const EntityFacts& e) { return e.left(); });
}

bool FindingFacts::right() const {
  return std::any_of(entities.begin(), entities.end(), [](const EntityFacts& e) { return !e.left(); });
}

const EntityFacts& FindingFacts::largest() const {
  FIDUCIAL_ASSERT(!entities.empty());
  return *std::max_element(entities.begin(), entities.end(), [](const EntityFacts& a, const EntityFacts& b) {
    return a.diameter_mm < b.diameter_mm;
  });
}

FindingFacts measured(PaintedFinding& finding, const ChestVolume& chest) {
  FindingFacts facts{.kind = finding.kind};
  const int count = renumber(finding.entities);
  for (int id = 1; id <= count; ++id) {
    facts.entities.push_back(entity_facts(finding, chest, static_cast<std::uint8_t>(id)));
  }
  facts.main_lobe = commonest_label(finding, chest, [](std::uint8_t entity) { return entity != 0; });
  return facts;
}

}  // namespace fiducial
