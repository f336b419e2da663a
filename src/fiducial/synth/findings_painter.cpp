#include "fiducial/synth/findings_painter.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/error.h"
#include "fiducial/synth/organ_labels.h"

namespace fiducial {

namespace {

constexpr int placement_attempts = 3000;
constexpr std::int16_t open_airway_hu = -930;

Vec3 moved(const Vec3& p, double x, double y, double z) { return {p[0] + x, p[1] + y, p[2] + z}; }

}  // namespace

std::string_view category_code(FindingKind kind) {
  switch (kind) {
    case FindingKind::bronchial_wall_thickening:
      return "1a";
    case FindingKind::emphysema:
      return "1c";
    case FindingKind::linear_atelectasis:
      return "2a";
    case FindingKind::consolidation:
      return "2b";
    case FindingKind::ground_glass:
      return "2c";
    case FindingKind::nodules:
      return "2d";
    case FindingKind::pleural_effusion:
      return "2e";
  }
  FIDUCIAL_ASSERT(false);
  return {};
}

FindingsPainter::FindingsPainter(ChestVolume& chest, const ChestAnatomy& anatomy, const LungTrees& trees,
                                 Random& random)
    : chest_(chest),
      anatomy_(anatomy),
      trees_(trees),
      random_(random),
      shape_(random),
      occupied_(chest.hu.size(), 0),
      entities_(chest.hu.size(), 0) {}

PaintedFinding FindingsPainter::paint(const FindingPlan& plan) {
  entities_.assign(chest_.hu.size(), 0);
  for (int i = 0; i < plan.entities; ++i) {
    const bool left = plan.side == Side::both ? i % 2 == 1 : plan.side == Side::left;
    paint_entity(plan, left, static_cast<std::uint8_t>(i + 1));
  }
  for (std::size_t i = 0; i < occupied_.size(); ++i) occupied_[i] |= entities_[i];
  return {.kind = plan.kind, .entities = entities_};
}

void FindingsPainter::paint_entity(const FindingPlan& plan, bool left, std::uint8_t id) {
  switch (plan.kind) {
    case FindingKind::bronchial_wall_thickening:
      return paint_bronchial_walls(left, id);
    case FindingKind::emphysema:
      return paint_emphysema(left, id);
    case FindingKind::linear_atelectasis:
      return paint_linear_atelectasis(left, id);
    case FindingKind::consolidation:
      return paint_consolidation(left, id);
    case FindingKind::ground_glass:
      return paint_ground_glass(left, id);
    case FindingKind::nodules:
      return paint_nodule(left, id);
    case FindingKind::pleural_effusion:
      return paint_effusion(left, id);
  }
}

void FindingsPainter::blend(std::size_t index, double hu, double share) {
  chest_.hu[index] =
      static_cast<std::int16_t>(std::floor(chest_.hu[index] + (hu - chest_.hu[index]) * share + 0.5));
}

void FindingsPainter::mark(std::size_t index, std::uint8_t id, double hu, double share) {
  if (share >= 0.5) entities_[index] = id;
  blend(index, hu, share);
}

bool FindingsPainter::on_side(std::uint8_t organ, bool left) const {
  return is_lobe(organ) && is_left_lobe(organ) == left;
}

bool FindingsPainter::free(std::size_t index) const { return occupied_[index] == 0 && entities_[index] == 0; }

// Whether the voxel and its surroundings are free lung of one side.
bool FindingsPainter::roomy(const Voxel& voxel, double margin_mm) const {
  const bool left = is_left_lobe(chest_.organs[chest_.frame.index(voxel)]);
  const Vec3 p = chest_.frame.position(voxel);
  for (const double step : {-margin_mm, 0.0, margin_mm}) {
    for (const Vec3& q : {moved(p, step, 0, 0), moved(p, 0, step, 0), moved(p, 0, 0, step)}) {
      const Voxel near = chest_.frame.nearest_voxel(q);
      if (!chest_.frame.contains(near)) return false;
      const std::size_t index = chest_.frame.index(near);
      if (!on_side(chest_.organs[index], left) || !free(index)) return false;
    }
  }
  return true;
}

// A random point in a lung with room around it; room is given up before the side or the lobe is.
Vec3 FindingsPainter::free_place(bool left, double margin_mm, std::optional<Organ> lobe) {
  Vec3 fallback = hilum(left);
  const Extent& extent = chest_.frame.extent;
  for (int attempt = 0; attempt < placement_attempts; ++attempt) {
    const Voxel voxel{random_.between(0, extent.x - 1), random_.between(0, extent.y - 1),
                      random_.between(0, extent.z - 1)};
    const std::size_t index = chest_.frame.index(voxel);
    const std::uint8_t organ = chest_.organs[index];
    if (!on_side(organ, left) || (lobe && organ != static_cast<std::uint8_t>(*lobe))) continue;
    if (entities_[index] == 0) fallback = chest_.frame.position(voxel);
    if (roomy(voxel, margin_mm)) return chest_.frame.position(voxel);
  }
  return fallback;
}

template <typename Visit>
void FindingsPainter::for_each_voxel_of(const Blob& blob, Visit visit) const {
  const double reach = blob.radius_mm * (1 + blob.roughness) + blob.soft_mm;
  const bool left = blob.centre[0] > 0;
  const double unit_mm = 0.55 * blob.radius_mm + 2;
  const auto centre = chest_.frame.index(chest_.frame.nearest_voxel(blob.centre));
  for_each_voxel_near(chest_.frame, moved(blob.centre, -reach, -reach, -reach),
                      moved(blob.centre, reach, reach, reach),
                      [&](const Voxel&, std::size_t index, const Vec3& p) {
                        if (!on_side(chest_.organs[index], left)) return;
                        const Vec3 offset = difference(p, blob.centre);
                        const double edge = blob.radius_mm * (1 + blob.roughness * shape_.at(p, unit_mm));
                        const double inside_mm = edge - std::sqrt(dot(offset, offset));
                        const double share = std::clamp(0.5 + inside_mm / blob.soft_mm, 0.0, 1.0);
                        if (index == centre) return visit(index, p, std::max(share, 0.5));
                        if (share > 0) visit(index, p, share);
                      });
}

void FindingsPainter::paint_nodule(bool left, std::uint8_t id) {
  const double radius = random_.uniform(2.4, 6.4);
  const double hu = random_.uniform(-60, 50);
  const Blob blob{free_place(left, radius + 3), radius, 0.3, random_.uniform(1.4, 2.8)};
  for_each_voxel_of(blob, [&](std::size_t index, const Vec3&, double share) {
    if (entities_[index] == 0) mark(index, id, hu, share);
  });
}

void FindingsPainter::paint_consolidation(bool left, std::uint8_t id) {
  const Organ lobe = left ? Organ::lung_lower_lobe_left : Organ::lung_lower_lobe_right;
  const Blob blob{free_place(left, 9, lobe), random_.uniform(13, 22), 0.6, random_.uniform(5, 11)};
  for_each_voxel_of(blob, [&](std::size_t index, const Vec3& p, double share) {
    if (chest_.organs[index] != static_cast<std::uint8_t>(lobe) || !free(index)) return;
    // Bronchi stay open: the air bronchogram. Between them alveoli are filled here more, there less.
    const bool open = chest_.hu[index] < open_airway_hu;
    mark(index, id, open ? chest_.hu[index] : -190 + 230 * shape_.at(p, 8), share);
  });
}

void FindingsPainter::paint_ground_glass(bool left, std::uint8_t id) {
  const auto patches = random_.between(2, 4);
  for (std::int64_t i = 0; i < patches; ++i) {
    const Blob blob{free_place(left, 8), random_.uniform(8, 15), 0.6, random_.uniform(6, 12)};
    for_each_voxel_of(blob, [&](std::size_t index, const Vec3& p, double share) {
      if (entities_[index] != 0) return;
      const double haze = -660 + 90 * shape_.at(p, 7);
      mark(index, id, std::max<double>(chest_.hu[index], haze), share);
    });
  }
}

void FindingsPainter::paint_emphysema(bool left, std::uint8_t id) {
  const Organ lobe = anatomy_.upper_lobe(left);
  const auto holes = random_.between(26, 40);
  for (std::int64_t i = 0; i < holes; ++i) {
    const Blob blob{free_place(left, 1, lobe), random_.uniform(2.4, 5.6), 0.4, 2.5};
    for_each_voxel_of(blob, [&](std::size_t index, const Vec3&, double share) {
      if (free(index) && chest_.hu[index] < -600) mark(index, id, -955, share);
    });
  }
}

void FindingsPainter::paint_linear_atelectasis(bool left, std::uint8_t id) {
  const Organ lobe = left ? Organ::lung_lower_lobe_left : Organ::lung_lower_lobe_right;
  const Vec3 centre = free_place(left, 5, lobe);
  const Vec3 normal = unit({random_.uniform(-1.6, 1.6), 1, random_.uniform(-0.4, 0.4)});
  const Vec3 along = unit(cross(normal, {0, 0, 1}));
  const Vec3 across = cross(normal, along);
  const double half_length = random_.uniform(13, 24);
  const double half_height = random_.uniform(4, 8);
  const auto centre_index = chest_.frame.index(chest_.frame.nearest_voxel(centre));
  for_each_voxel_near(chest_.frame, moved(centre, -30, -30, -30), moved(centre, 30, 30, 30),
                      [&](const Voxel&, std::size_t index, const Vec3& p) {
                        if (!on_side(chest_.organs[index], left) || !free(index)) return;
                        const Vec3 offset = difference(p, centre);
                        const double reach = square(dot(offset, along) / half_length) +
                                             square(dot(offset, across) / half_height);
                        if (index == centre_index) return mark(index, id, -140);
                        if (reach >= 1) return;
                        const double off = std::abs(dot(offset, normal) + 1.9 * shape_.at(p, 11));
                        const double share = std::clamp(0.5 + (1.7 - off) / 1.6, 0.0, 1.0);
                        if (share > 0) mark(index, id, -140, share);
                      });
}

// Fluid sinks to the back of a patient on the table; its surface climbs where it meets the wall. The lung
// that it lifts has no air next to it.
void FindingsPainter::paint_effusion(bool left, std::uint8_t id) {
  const double depth = random_.uniform(7, 20);
  const double top_z = random_.uniform(85, 140);
  const double band = random_.uniform(6, 15);
  const Extent& extent = chest_.frame.extent;
  for_each_voxel_near(chest_.frame, chest_.frame.position({0, 0, 0}),
                      chest_.frame.position({extent.x - 1, extent.y - 1, extent.z - 1}),
                      [&](const Voxel&, std::size_t index, const Vec3& p) {
                        if (p[2] >= top_z || !on_side(chest_.organs[index], left)) return;
                        const double fill = 1 - square(p[2] / top_z);
                        const Oval wall = anatomy_.pleura(p[2]);
                        const double climb = 0.0042 * square(std::abs(p[0]) - 55);
                        const double surface = wall.centre_y + wall.half_depth - fill * (depth + climb);
                        const double lifted = band * fill * (1 + 0.6 * shape_.at(p, 12));
                        if (p[1] > surface) {
                          mark(index, id, 12 + 7 * shape_.at(p, 6));
                        } else if (p[1] > surface - lifted && entities_[index] == 0) {
                          blend(index, 34, 0.85 * std::min(1.0, (p[1] - surface + lifted) / (0.5 * lifted)));
                        }
                      });
}

void FindingsPainter::paint_bronchial_walls(bool left, std::uint8_t id) {
  const Organ lobe = left ? Organ::lung_lower_lobe_left : Organ::lung_lower_lobe_right;
  for (const Tube& tube : trees_.bronchi) {
    const double reach = tube.largest_radius() + 3;
    Vec3 low{};
    Vec3 high{};
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(tube.from[i], tube.to[i]) - reach;
      high[i] = std::max(tube.from[i], tube.to[i]) + reach;
    }
    for_each_voxel_near(chest_.frame, low, high, [&](const Voxel&, std::size_t index, const Vec3& p) {
      if (chest_.organs[index] != static_cast<std::uint8_t>(lobe) || !free(index)) return;
      const double distance = tube.distance(p);
      const double radius = tube.largest_radius();
      const bool open = distance + radius < lumen_radius(radius);
      if (!open && distance < 1.5 && chest_.hu[index] > open_airway_hu) mark(index, id, -260);
    });
  }
}

}  // namespace fiducial
