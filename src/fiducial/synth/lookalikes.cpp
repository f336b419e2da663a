#include "fiducial/synth/lookalikes.h"

#include <algorithm>
#include <cmath>

#include "fiducial/synth/organ_labels.h"
#include "fiducial/synth/smooth_noise.h"

namespace fiducial {

namespace {

constexpr double soft_tissue_hu = 40;

void raise(std::int16_t& hu, double by) {
  hu = static_cast<std::int16_t>(std::floor(std::min(hu + by, soft_tissue_hu) + 0.5));
}

// How these lungs lie and breathe on the day of the scan.
struct Ventilation {
  double dependent_mm = 0;  // depth of the dense layer at the back
  double dependent_hu = 0;  // what it adds at the pleura
  double cap_mm = 0;        // thickness of the apical caps
  double mosaic_hu = 0;     // how far neighbouring regions differ
};

double added_hu(const Ventilation& lungs, const ChestAnatomy& anatomy, const SmoothNoise& noise,
                const Vec3& p) {
  const Oval wall = anatomy.pleura(p[2]);
  const double above_the_table = wall.centre_y + wall.half_depth - p[1];
  const double depth = lungs.dependent_mm * (1 + 0.7 * noise.at(p, 19));
  double added = lungs.mosaic_hu * noise.at(p, 26);
  if (above_the_table < depth) added += lungs.dependent_hu * (1 - above_the_table / depth);
  const double haze = noise.at(p, 33) - 0.45;
  if (haze > 0) added += 420 * haze;
  const bool apex = p[2] > 205 && -wall.distance(p[0], p[1]) < lungs.cap_mm * (1 + 0.8 * noise.at(p, 9));
  return apex ? added + 480 : added;
}

void paint_ventilation(ChestVolume& chest, const ChestAnatomy& anatomy, Random& random) {
  const Ventilation lungs{.dependent_mm = random.uniform(10, 24),
                          .dependent_hu = random.uniform(260, 640),
                          .cap_mm = random.uniform(2, 6),
                          .mosaic_hu = random.uniform(25, 55)};
  const SmoothNoise noise(random);
  const Extent& extent = chest.frame.extent;
  for_each_voxel_near(chest.frame, chest.frame.position({0, 0, 0}),
                      chest.frame.position({extent.x - 1, extent.y - 1, extent.z - 1}),
                      [&](const Voxel&, std::size_t index, const Vec3& p) {
                        if (!is_lobe(chest.organs[index]) || chest.hu[index] > -600) return;
                        raise(chest.hu[index], added_hu(lungs, anatomy, noise, p));
                      });
}

// Density of a tube with a soft wall, where it is denser than what is there.
void paint_dense(ChestVolume& chest, const Tube& tube, double hu) {
  constexpr double soft_mm = 0.9;
  Vec3 low{};
  Vec3 high{};
  const double reach = tube.largest_radius() + soft_mm;
  for (std::size_t i = 0; i < 3; ++i) {
    low[i] = std::min(tube.from[i], tube.to[i]) - reach;
    high[i] = std::max(tube.from[i], tube.to[i]) + reach;
  }
  for_each_voxel_near(chest.frame, low, high, [&](const Voxel&, std::size_t index, const Vec3& p) {
    if (!is_lobe(chest.organs[index])) return;
    const double share = std::clamp((soft_mm - tube.distance(p)) / (2 * soft_mm), 0.0, 1.0);
    const double blended = chest.hu[index] + (hu - chest.hu[index]) * share;
    chest.hu[index] = std::max(chest.hu[index], static_cast<std::int16_t>(std::floor(blended + 0.5)));
  });
}

Vec3 somewhere(const ChestAnatomy& anatomy, Random& random) {
  const double z = random.uniform(60, 220);
  const Oval wall = anatomy.pleura(z);
  const double side = random.below(2) == 0 ? -1 : 1;
  return {side * random.uniform(0.25, 0.95) * wall.half_width,
          wall.centre_y + random.uniform(-0.85, 0.85) * wall.half_depth, z};
}

// Short, thick pieces of vessel in the inner half of the lungs.
void paint_vessels_end_on(ChestVolume& chest, const ChestAnatomy& anatomy, Random& random) {
  const auto count = random.between(10, 18);
  for (std::int64_t i = 0; i < count; ++i) {
    const Vec3 inner = hilum(random.below(2) == 0);
    const double way = random.uniform(0.15, 0.6);
    const Vec3 outer = somewhere(anatomy, random);
    Vec3 from{};
    Vec3 to{};
    const double length = random.uniform(4, 12);
    const Vec3 along = unit({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.9, 1.1)});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      from[axis] = inner[axis] + way * (outer[axis] - inner[axis]);
      to[axis] = from[axis] + length * along[axis];
    }
    paint_dense(chest, {from, to, random.uniform(1.8, 3.6), random.uniform(1.4, 2.6)}, 42);
  }
}

// Old nodules that nobody names: some of soft tissue, some calcified.
void paint_old_nodules(ChestVolume& chest, const ChestAnatomy& anatomy, Random& random) {
  const auto count = random.between(4, 9);
  for (std::int64_t i = 0; i < count; ++i) {
    const Vec3 place = somewhere(anatomy, random);
    const double radius = random.uniform(1.3, 2.8);
    const bool calcified = random.below(3) == 0;
    paint_dense(chest, {place, place, radius, radius}, calcified ? 480 : 30);
  }
}

void paint_clips(ChestVolume& chest, const ChestAnatomy& anatomy, Random& random) {
  if (anatomy.resected == Organ::none) return;
  const Vec3 root = hilum(is_left_lobe(static_cast<std::uint8_t>(anatomy.resected)));
  for (int i = 0; i < 5; ++i) {
    const Vec3 from{root[0] + random.uniform(-9, 9), root[1] + random.uniform(-9, 9),
                    root[2] + random.uniform(4, 22)};
    paint_dense(chest, {from, {from[0] + 4, from[1], from[2] + 1}, 0.9, 0.9}, 2600);
  }
}

}  // namespace

void paint_lookalikes(ChestVolume& chest, const ChestAnatomy& anatomy, Random& random) {
  paint_vessels_end_on(chest, anatomy, random);
  paint_old_nodules(chest, anatomy, random);
  paint_clips(chest, anatomy, random);
  paint_ventilation(chest, anatomy, random);
}

}  // namespace fiducial
