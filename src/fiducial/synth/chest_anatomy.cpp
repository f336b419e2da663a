#include "fiducial/synth/chest_anatomy.h"

#include <algorithm>
#include <cmath>

namespace fiducial {

namespace {

constexpr double lung_widest_z = 90;
constexpr double lung_apex_z = 246;

// Lower lobes lie below a plane that rises towards the back.
constexpr double oblique_rise = 1.15;
constexpr double oblique_steepness = 1.52;  // length of the plane's normal (0, rise, 1)

double narrowing(double z, double top) {
  if (z <= lung_widest_z) return 1;
  return std::sqrt(std::max(0.0, 1 - square((z - lung_widest_z) / (top - lung_widest_z))));
}

Ellipsoid make_heart(Random& random) {
  const Vec3 long_axis = unit({0.74, -0.45, -0.50});
  const Vec3 across = unit(cross(long_axis, {0, 0, 1}));
  const double size = random.uniform(0.94, 1.06);
  return {.centre = {19, -22, 98},
          .axes = {long_axis, across, cross(long_axis, across)},
          .radii = {63 * size, 46 * size, 47 * size}};
}

struct Path3 {
  Organ organ;
  std::int16_t hu;
  double wall_mm;
  std::vector<std::array<double, 4>> knots;  // x, y, z, radius
};

void add_path(std::vector<TubeOrgan>& tubes, const Path3& path) {
  for (std::size_t i = 1; i < path.knots.size(); ++i) {
    const auto& a = path.knots[i - 1];
    const auto& b = path.knots[i];
    tubes.push_back({.tube = {{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, a[3], b[3]},
                     .organ = path.organ,
                     .hu = path.hu,
                     .wall_mm = path.wall_mm});
  }
}

std::vector<TubeOrgan> make_airways_and_gullet() {
  std::vector<TubeOrgan> tubes;
  const std::int16_t air = -990;
  add_path(tubes, {Organ::trachea, air, 1.8, {{0, 4, 275, 8.5}, {-1, 10, 210, 8.5}, {-2, 14, 170, 8.8}}});
  add_path(tubes, {Organ::trachea, air, 1.6, {{-2, 14, 170, 7.0}, {-34, 17, 142, 6.4}, {-44, 16, 130, 4.6}}});
  add_path(tubes, {Organ::trachea, air, 1.6, {{-2, 14, 170, 6.6}, {38, 20, 140, 5.8}, {50, 20, 128, 4.4}}});
  add_path(tubes, {Organ::esophagus, -700, 0, {{4, 29, 275, 1.4}, {6, 30, 130, 1.4}}});
  add_path(tubes,
           {Organ::esophagus, 36, 0, {{3, 27, 275, 6}, {5, 29, 150, 6.5}, {9, 24, 60, 7}, {18, 6, 20, 8}}});
  return tubes;
}

std::vector<TubeOrgan> make_great_vessels() {
  std::vector<TubeOrgan> tubes;
  add_path(tubes, {Organ::aorta, 42, 0, {{-4, -22, 112, 15}, {-14, -20, 178, 15}}});
  add_path(tubes, {Organ::aorta,
                   42,
                   0,
                   {{-14, -20, 178, 14.5}, {0, -2, 199, 13.5}, {20, 24, 198, 13}, {29, 40, 180, 12.5}}});
  add_path(tubes, {Organ::aorta, 42, 0, {{29, 40, 180, 12.5}, {28, 42, 100, 11.5}, {16, 34, -20, 11}}});
  add_path(tubes, {Organ::none, 42, 0, {{12, -40, 122, 13}, {17, -20, 152, 13}, {44, 8, 152, 10}}});
  add_path(tubes, {Organ::none, 42, 0, {{16, -14, 152, 10}, {-12, 3, 148, 9.5}, {-42, 8, 142, 9}}});
  add_path(tubes, {Organ::pulmonary_vein, 42, 0, {{-8, 6, 112, 7}, {-46, 12, 118, 5.5}}});
  add_path(tubes, {Organ::pulmonary_vein, 42, 0, {{24, 8, 112, 7}, {54, 16, 118, 5.5}}});
  add_path(
      tubes,
      {Organ::superior_vena_cava, 40, 0, {{-27, -14, 118, 9.5}, {-29, -17, 206, 8.5}, {-24, -20, 235, 7}}});
  add_path(tubes, {Organ::brachiocephalic_trunk, 42, 0, {{-6, -8, 202, 6.5}, {-20, -2, 275, 6}}});
  add_path(tubes, {Organ::common_carotid_artery_left, 42, 0, {{8, 6, 204, 4.5}, {20, 4, 275, 4}}});
  add_path(tubes, {Organ::subclavian_artery_left, 42, 0, {{18, 20, 204, 5.5}, {28, 18, 275, 5}}});
  add_path(tubes, {Organ::none, 40, 0, {{-25, -22, 215, 7}, {16, -26, 232, 6}}});
  return tubes;
}

}  // namespace

Oval ChestAnatomy::body(double z) const {
  return {.centre_y = 0,
          .half_width = 142 + fat_mm - 0.0008 * square(z - 120),
          .half_depth = 96 + 0.8 * fat_mm - 0.0006 * square(z - 110),
          .squareness = 0.42};
}

Oval ChestAnatomy::pleura(double z) const {
  const double narrow = narrowing(z, lung_apex_z);
  const double low = z < lung_widest_z ? 0.0006 * square(lung_widest_z - z) : 0.0;
  return {.centre_y = 1 + 16 * (1 - narrow),
          .half_width = 126 * narrow - low,
          .half_depth = 80 * (0.35 * std::sqrt(narrow) + 0.65 * narrow) - low,
          .squareness = 0.30};
}

Oval ChestAnatomy::rib_cage(double z) const {
  const double narrow = narrowing(z, 285);
  const double low = z < lung_widest_z ? 0.0006 * square(lung_widest_z - z) : 0.0;
  return {.centre_y = 1 + 8 * (1 - narrow),
          .half_width = 128.5 * narrow - low,
          .half_depth = 82.5 * (0.5 + 0.5 * narrow) - low,
          .squareness = 0.30};
}

double ChestAnatomy::diaphragm_z(double x, double y) const {
  const bool left = x > 0;
  const double top = left ? dome_left_z : dome_right_z;
  const double centre_x = left ? 60 : -62;
  return top - 0.0085 * square(x - centre_x) - 0.0105 * square(y + 18);
}

double ChestAnatomy::mediastinum_half_width(double y, double z) const {
  const double base = 7 + 15 * std::max(0.0, 1 - square((y - 18) / 80));
  const double hila = 15 * bump((z - 145) / 42) * bump((y - 10) / 34);
  const double inlet = z > 195 ? 0.12 * (z - 195) : 0.0;
  return base + hila + inlet;
}

Organ ChestAnatomy::upper_lobe(bool left) const {
  if (left) {
    return resected == Organ::lung_upper_lobe_left ? Organ::lung_lower_lobe_left
                                                   : Organ::lung_upper_lobe_left;
  }
  return resected == Organ::lung_upper_lobe_right ? Organ::lung_middle_lobe_right
                                                  : Organ::lung_upper_lobe_right;
}

Organ ChestAnatomy::lobe(const Vec3& p) const {
  const bool left = p[0] > 0;
  const double plane_z = (left ? oblique_left_z : oblique_right_z) + oblique_rise * p[1];
  if (p[2] < plane_z) return left ? Organ::lung_lower_lobe_left : Organ::lung_lower_lobe_right;
  if (left) return upper_lobe(true);
  return p[2] < minor_z + 0.06 * p[0] + 5 ? Organ::lung_middle_lobe_right : upper_lobe(false);
}

double ChestAnatomy::fissure_distance(const Vec3& p) const {
  const bool left = p[0] > 0;
  const double above = p[2] - (left ? oblique_left_z : oblique_right_z) - oblique_rise * p[1];
  constexpr double none_mm = 1e9;
  if (left && resected == Organ::lung_upper_lobe_left) return none_mm;
  const double oblique = std::abs(above) / oblique_steepness;
  if (left || above < 0 || resected == Organ::lung_upper_lobe_right) return oblique;
  return std::min(oblique, std::abs(p[2] - (minor_z + 0.06 * p[0] + 5)));
}

namespace {

// Rarer than not: a bent spine, a breath that was not held, a lobe that is gone.
void add_peculiarities(ChestAnatomy& chest, Random& random) {
  const double bend = random.uniform(4, 11);
  if (random.below(3) == 0) chest.scoliosis_mm = random.below(2) == 0 ? bend : -bend;
  const double raised = random.uniform(12, 22);
  if (random.below(3) == 0) {
    chest.shallow_breath = true;
    chest.dome_right_z += raised;
    chest.dome_left_z += raised;
  }
  const bool left = random.below(2) == 0;
  if (random.below(6) == 0) {
    chest.resected = left ? Organ::lung_upper_lobe_left : Organ::lung_upper_lobe_right;
  }
}

}  // namespace

ChestAnatomy make_chest_anatomy(Random& random) {
  ChestAnatomy chest;
  chest.body_scale = {random.uniform(0.94, 1.03), random.uniform(0.94, 1.05), random.uniform(0.97, 1.03)};
  chest.fat_mm = random.uniform(7, 20);
  chest.breasts = random.below(2) == 0;
  chest.dome_right_z = random.uniform(70, 88);
  chest.dome_left_z = chest.dome_right_z - random.uniform(6, 14);
  chest.oblique_right_z = random.uniform(112, 126);
  chest.oblique_left_z = random.uniform(116, 130);
  chest.minor_z = random.uniform(126, 138);
  chest.rib_phase_mm = random.uniform(-8, 8);
  chest.heart = make_heart(random);
  chest.tubes = make_airways_and_gullet();
  for (TubeOrgan& vessel : make_great_vessels()) chest.tubes.push_back(vessel);
  add_peculiarities(chest, random);
  return chest;
}

std::int16_t blood_hu(Contrast contrast, Organ vessel) {
  const bool vein = vessel == Organ::superior_vena_cava;
  if (contrast == Contrast::venous) return vein ? 165 : 150;
  if (contrast == Contrast::arterial) return vein ? 420 : 300;
  return vein ? 40 : 42;
}

Vec3 hilum(bool left) { return left ? Vec3{48, 14, 142} : Vec3{-44, 12, 138}; }

}  // namespace fiducial
