#include "fiducial/synth/chest_painter.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fiducial/synth/smooth_noise.h"

namespace fiducial {

namespace {

constexpr std::int16_t outside_hu = -1000;
constexpr double vertebra_pitch_mm = 22;
constexpr double top_vertebra_z = 262;  // upper edge of T1

struct Tissue {
  std::int16_t hu = outside_hu;
  Organ organ = Organ::none;
};

std::int16_t rounded(double hu) { return static_cast<std::int16_t>(std::floor(hu + 0.5)); }

Organ shifted(Organ first, int steps) { return static_cast<Organ>(static_cast<int>(first) + steps); }

// Bone: a dense shell around spongy bone. depth_mm is the distance below the surface.
std::int16_t bone_hu(double depth_mm) { return depth_mm < 2.2 ? 620 : 230; }

// Decides the tissue of every point of one slice.
class SlicePainter {
 public:
  SlicePainter(const ChestAnatomy& anatomy, const SmoothNoise& texture, double z)
      : anatomy_(anatomy),
        texture_(texture),
        body_(anatomy.body(z)),
        pleura_(anatomy.pleura(z)),
        ribs_(anatomy.rib_cage(z)) {
    for (const TubeOrgan& tube : anatomy.tubes) {
      const double reach = tube.tube.largest_radius() + tube.wall_mm;
      const auto [low, high] = std::minmax(tube.tube.from[2], tube.tube.to[2]);
      if (z >= low - reach && z <= high + reach) tubes_.push_back(&tube);
    }
  }

  Tissue tissue(const Vec3& p) const {
    if (std::abs(p[0]) >= body_.half_width || p[1] >= body_.half_depth) return {};
    const double body_depth = -body_distance(p);
    if (body_depth <= 0) return {};
    if (const auto bone = spine(p)) return *bone;
    const double pleura_distance = pleura_.distance(p[0], p[1]);
    if (const auto inner = mediastinum(p, pleura_distance)) return *inner;
    if (pleura_distance < 0) return within_pleura(p);
    return chest_wall(p, body_depth);
  }

 private:
  double body_distance(const Vec3& p) const {
    // A shallow furrow over the spine.
    const double furrow = p[1] > 0 ? 5 * bump(p[0] / 34) : 0;
    const double trunk = body_.distance(p[0], p[1] + furrow);
    if (!anatomy_.breasts || p[1] > -40) return trunk;
    const double side = std::abs(p[0]) - 74;
    const double level =
        square(side / 62) + square((p[1] + body_.half_depth * 0.80) / 33) + square((p[2] - 105) / 62);
    return std::min(trunk, (std::sqrt(level) - 1) * 33);
  }

  std::optional<Tissue> spine(const Vec3& p) const {
    const double x = std::abs(p[0]);
    if (p[1] < 34 || x > 34) return std::nullopt;
    const auto level = static_cast<int>(std::floor((top_vertebra_z - p[2]) / vertebra_pitch_mm));
    if (level < 0 || level > 11) return std::nullopt;
    const Organ vertebra = shifted(Organ::vertebra_t1, -level);
    const double down = (top_vertebra_z - p[2]) - level * vertebra_pitch_mm;
    const double canal = std::sqrt(square(p[0]) + square(p[1] - 76));
    if (canal < 4.5) return Tissue{32, Organ::spinal_cord};
    if (canal < 8) return Tissue{8, Organ::none};
    const double body_level = std::sqrt(square(p[0] / 17.5) + square((p[1] - 53) / 14.5));
    if (body_level < 1) {
      if (down < 4) return Tissue{75, Organ::none};
      const double depth = std::min({(1 - body_level) * 15, down - 4, vertebra_pitch_mm - down});
      return Tissue{bone_hu(depth), vertebra};
    }
    return posterior_arch(p, canal, down, vertebra);
  }

  // Pedicles and laminae around the canal, the transverse processes and the spinous process.
  static std::optional<Tissue> posterior_arch(const Vec3& p, double canal, double down, Organ vertebra) {
    const double x = std::abs(p[0]);
    if (canal < 12 && down > 5) return Tissue{rounded(520), vertebra};
    if (down < 7 || down > 17) return std::nullopt;
    const double process = std::abs(p[1] - (72 + 0.35 * (x - 8)));
    if (x > 8 && x < 31 && process < 4.5) return Tissue{bone_hu(4.5 - process), vertebra};
    if (x < 3.4 && p[1] > 84 && p[1] < 103) return Tissue{bone_hu(3.4 - x), vertebra};
    return std::nullopt;
  }

  // Airways, vessels and heart: they displace the lungs.
  std::optional<Tissue> mediastinum(const Vec3& p, double pleura_distance) const {
    if (std::abs(p[0]) < 70) {
      double nearest_wall = 1e9;
      for (const TubeOrgan* tube : tubes_) {
        const double distance = tube->tube.distance(p);
        if (distance < 0) return Tissue{contents_hu(*tube), tube->organ};
        nearest_wall = std::min(nearest_wall, distance - tube->wall_mm);
      }
      if (nearest_wall < 0) return Tissue{25, Organ::none};
    }
    if (pleura_distance > -1.5) return std::nullopt;
    const double heart = anatomy_.heart.level(p);
    if (heart < 1) {
      return Tissue{rounded(blood_hu(anatomy_.contrast, Organ::heart) + 6 * texture_.at(p, 12)),
                    Organ::heart};
    }
    if (heart < 1.16 && p[2] > 40) return Tissue{-92, Organ::none};
    return std::nullopt;
  }

  // Gas and the wall of the gullet stay what they are; blood takes the contrast.
  std::int16_t contents_hu(const TubeOrgan& tube) const {
    const bool blood = tube.organ != Organ::trachea && tube.organ != Organ::esophagus;
    return blood ? blood_hu(anatomy_.contrast, tube.organ) : tube.hu;
  }

  Tissue within_pleura(const Vec3& p) const {
    const double dome = anatomy_.diaphragm_z(p[0], p[1]);
    const bool beside_mediastinum = std::abs(p[0]) > anatomy_.mediastinum_half_width(p[1], p[2]) &&
                                    square(p[0] / 21) + square((p[1] - 54) / 18) > 1;
    if (p[2] < dome) return abdomen(p, dome - p[2]);
    if (!beside_mediastinum) return p[2] < 46 ? abdomen(p, 10) : mediastinal_fat(p);
    return lung(p);
  }

  Tissue lung(const Vec3& p) const {
    // The lower, posterior parts of the lungs carry more blood.
    const double parenchyma = (anatomy_.shallow_breath ? -800 : -862) + 0.32 * p[1] +
                              16 * texture_.at(p, 14) + 9 * texture_.at(p, 5);
    const double fissure = std::max(0.0, 1 - anatomy_.fissure_distance(p) / 1.3);
    return {rounded(parenchyma + 170 * fissure), anatomy_.lobe(p)};
  }

  Tissue mediastinal_fat(const Vec3& p) const {
    const double node = texture_.at(p, 7);
    return {rounded(node > 0.55 ? 10.0 : -98 + 14 * node), Organ::none};
  }

  Tissue abdomen(const Vec3& p, double depth) const {
    if (depth < 3) return {44, Organ::none};
    if (p[0] < 26 - 0.25 * p[1] && p[1] < 46 + 0.3 * std::abs(p[0])) {
      return {rounded(58 + 5 * texture_.at(p, 9)), Organ::liver};
    }
    const double spleen = square((p[0] - 88) / 34) + square((p[1] - 38) / 34) + square((p[2] - 8) / 52);
    if (spleen < 1) return {rounded(50 + 4 * texture_.at(p, 9)), Organ::spleen};
    const double stomach = square((p[0] - 62) / 40) + square((p[1] + 22) / 38) + square((p[2] - 18) / 44);
    // Gas collects in front when the patient lies on the back.
    if (stomach < 0.86) return {rounded(p[1] < -34 ? -960 : 18), Organ::stomach};
    if (stomach < 1) return {40, Organ::stomach};
    return {-102, Organ::none};
  }

  Tissue chest_wall(const Vec3& p, double body_depth) const {
    const double out = ribs_.distance(p[0], p[1]);
    if (out > -6 && out < 14) {
      if (const auto bone = sternum(p, out)) return *bone;
      if (const auto bone = rib(p, out)) return *bone;
    }
    if (const auto bone = shoulder_bone(p)) return *bone;
    if (body_depth < 2.2) return {15, Organ::none};
    if (body_depth < anatomy_.fat_mm * (0.85 + 0.35 * texture_.at(p, 40))) return subcutaneous(p);
    if (out < 1.5 && p[2] < 200) return {-70, Organ::none};
    return muscle(p, out);
  }

  Tissue subcutaneous(const Vec3& p) const {
    const bool gland = anatomy_.breasts && p[1] < -70 && texture_.at(p, 9) > 0.2 && p[2] > 60 && p[2] < 150;
    return {rounded(gland ? 20 : -104 + 10 * texture_.at(p, 6)), Organ::none};
  }

  Tissue muscle(const Vec3& p, double out) const {
    const double x = std::abs(p[0]);
    const double erector = square((x - 27) / 22) + square((p[1] - 92) / 15);
    if (erector < 1) return {54, p[0] > 0 ? Organ::autochthon_left : Organ::autochthon_right};
    // Fat planes between the muscle layers.
    const double plane = std::abs(out - 13 - 4 * texture_.at(p, 30));
    const bool fatty = (out > 9 && plane < 1.4) || texture_.at(p, 10) > 0.62;
    return {rounded(fatty ? -75 : 52 + 6 * texture_.at(p, 4)), Organ::none};
  }

  static std::optional<Tissue> sternum(const Vec3& p, double out) {
    const double x = std::abs(p[0]);
    if (p[1] > -40 || p[2] < 66 || p[2] > 222) return std::nullopt;
    const double half_width = p[2] > 185 ? 24.0 : 15.0;
    const double depth = std::min({half_width - x, out, 10 - out});
    if (depth <= 0) return std::nullopt;
    return Tissue{bone_hu(depth), Organ::sternum};
  }

  // Ribs run in tilted planes, high at the spine and low in front, and end in cartilage.
  std::optional<Tissue> rib(const Vec3& p, double out) const {
    const bool left = p[0] > 0;
    if (p[1] > 60 && std::abs(p[0]) < 20) return std::nullopt;
    const double height_at_spine = p[2] + 0.45 * (72 - p[1]) + anatomy_.rib_phase_mm;
    const auto number =
        static_cast<int>(std::floor((top_vertebra_z - height_at_spine) / vertebra_pitch_mm)) + 1;
    if (number < 1 || number > 12) return std::nullopt;
    const double from_centre = height_at_spine - (top_vertebra_z - (number - 0.5) * vertebra_pitch_mm);
    const double level = std::sqrt(square((out - 4.5) / 4.4) + square(from_centre / 6.6));
    if (level >= 1) return std::nullopt;
    const double end_y = number == 12 ? 25.0 : number == 11 ? -5.0 : -50.0;
    if (p[1] < end_y) {
      if (number > 10) return std::nullopt;
      return Tissue{105, Organ::costal_cartilages};
    }
    const Organ first = left ? Organ::rib_left_1 : Organ::rib_right_1;
    return Tissue{rounded(level > 0.62 ? 640 : 280), shifted(first, number - 1)};
  }

  std::optional<Tissue> shoulder_bone(const Vec3& p) const {
    const bool left = p[0] > 0;
    const double x = std::abs(p[0]);
    if (p[2] > 205) {
      const Tube clavicle{{20, -66, 214}, {112, -34, 252}, 6.5, 5.5};
      const double distance = clavicle.distance({x, p[1], p[2]});
      if (distance < 0)
        return Tissue{bone_hu(-distance), left ? Organ::clavicula_left : Organ::clavicula_right};
    }
    if (p[2] < 128 || p[2] > 250) return std::nullopt;
    const double shrink = body_.half_depth / 106;
    const double reach = std::min(1.0, (p[2] - 122) / 40);
    const double middle_x = 98 * shrink;
    const Tube blade{{middle_x - 24 * reach, (90 - 4 * reach + 8) * shrink, p[2]},
                     {middle_x + 26 * reach, (86 - 30 * reach) * shrink, p[2]},
                     3.6,
                     4.6};
    const double distance = blade.distance({x, p[1], p[2]});
    if (distance >= 0) return std::nullopt;
    return Tissue{bone_hu(-distance + 0.6), left ? Organ::scapula_left : Organ::scapula_right};
  }

  const ChestAnatomy& anatomy_;
  const SmoothNoise& texture_;
  Oval body_;
  Oval pleura_;
  Oval ribs_;
  std::vector<const TubeOrgan*> tubes_;
};

}  // namespace

ChestVolume paint_chest(const ChestAnatomy& anatomy, const ChestFrame& frame, Random& random) {
  const auto count = static_cast<std::size_t>(frame.extent.count());
  ChestVolume chest{.frame = frame,
                    .hu = std::vector<std::int16_t>(count, outside_hu),
                    .organs = std::vector<std::uint8_t>(count, 0)};
  const SmoothNoise texture(random);
  for (std::int64_t z = 0; z < frame.extent.z; ++z) {
    const SlicePainter slice(anatomy, texture, frame.position({0, 0, z})[2]);
    for (std::int64_t y = 0; y < frame.extent.y; ++y) {
      for (std::int64_t x = 0; x < frame.extent.x; ++x) {
        const Tissue tissue = slice.tissue(frame.position({x, y, z}));
        const std::size_t index = frame.index({x, y, z});
        chest.hu[index] = tissue.hu;
        chest.organs[index] = static_cast<std::uint8_t>(tissue.organ);
      }
    }
  }
  return chest;
}

namespace {

// A breath during the scan: near the diaphragm every slice holds something of one that lies higher.
void add_breathing(ChestVolume& chest, double share) {
  constexpr double rise_mm = 5;
  constexpr double lungs_still_z = 130;
  const Extent& extent = chest.frame.extent;
  const auto per_slice = static_cast<std::size_t>(extent.x * extent.y);
  const auto rise = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::floor(rise_mm / chest.frame.spacing_mm[2] + 0.5)));
  for (std::int64_t z = 0; z + rise < extent.z; ++z) {
    const double height = chest.frame.position({0, 0, z})[2];
    const double moved = share * std::clamp((lungs_still_z - height) / 40, 0.0, 1.0);
    if (moved <= 0) return;
    std::int16_t* slice = chest.hu.data() + static_cast<std::size_t>(z) * per_slice;
    const std::int16_t* higher = slice + static_cast<std::size_t>(rise) * per_slice;
    for (std::size_t i = 0; i < per_slice; ++i) slice[i] = rounded(slice[i] + (higher[i] - slice[i]) * moved);
  }
}

}  // namespace

void add_scanner_effects(ChestVolume& chest, const ScannerEffects& effects, Random& random) {
  const Extent& extent = chest.frame.extent;
  add_breathing(chest, effects.breathing);
  blur_slices(extent, chest.hu);
  const auto per_slice = static_cast<std::size_t>(extent.x * extent.y);
  for (std::size_t z = 0; z < static_cast<std::size_t>(extent.z); ++z) {
    const std::vector<std::int16_t> noise = noise_slice(extent, effects.noise_hu, random);
    std::int16_t* slice = chest.hu.data() + z * per_slice;
    for (std::size_t i = 0; i < per_slice; ++i) {
      if (slice[i] == outside_hu) continue;
      slice[i] = static_cast<std::int16_t>(std::clamp(slice[i] + noise[i], -1024, 3071));
    }
  }
}

}  // namespace fiducial
