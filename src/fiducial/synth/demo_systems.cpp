#include "fiducial/synth/demo_systems.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fiducial/base/error.h"
#include "fiducial/base/number_text.h"
#include "fiducial/synth/dense_labels.h"
#include "fiducial/synth/organ_labels.h"
#include "fiducial/synth/smooth_noise.h"

namespace fiducial {

namespace {

using Voxels = std::vector<std::uint8_t>;

// How a system gets things wrong. Chances are per entity or per channel; edges are thresholds on smooth
// noise.
struct Faults {
  double empty_channel = 0;
  double missed_entity = 0;
  double shift_share = 0;  // displacement, as a share of the entity's diameter
  double lost_edge = 1;    // noise above this loses an edge voxel
  double gained_edge = 1;  // noise above this gains a neighbour
  double false_alarm = 0;  // chance of each of three false blobs
  int most_specks = 0;
};

constexpr Faults good_faults{
    .missed_entity = 0.06, .lost_edge = 0.30, .gained_edge = 0.34, .false_alarm = 0.04};
constexpr Faults weak_faults{.empty_channel = 0.20,
                             .missed_entity = 0.24,
                             .shift_share = 0.20,
                             .lost_edge = 0.14,
                             .gained_edge = 0.10,
                             .false_alarm = 0.4,
                             .most_specks = 5};

// How wide an entity is across its narrowest way; structures that branch or scatter are thin everywhere.
double width_mm(const FindingFacts& facts, std::size_t entity) {
  switch (facts.kind) {
    case FindingKind::bronchial_wall_thickening:
    case FindingKind::emphysema:
    case FindingKind::linear_atelectasis:
      return 5;
    case FindingKind::pleural_effusion:
      return facts.entities[entity].thickness_mm;
    default:
      return facts.entities[entity].diameter_mm;
  }
}

// Predicts one finding.
class Imitator {
 public:
  Imitator(const Faults& faults, const ChestVolume& chest, Random random)
      : faults_(faults), chest_(chest), random_(random), noise_(random_), out_(chest.organs.size(), 0) {}

  Voxels predict(const PaintedFinding& finding, const FindingFacts& facts) {
    if (random_.uniform() < faults_.empty_channel) return out_;
    for (std::size_t i = 0; i < facts.entities.size(); ++i) {
      // To miss the only entity is to leave the channel empty, which has a chance of its own.
      if (facts.entities.size() > 1 && random_.uniform() < faults_.missed_entity) continue;
      copy_entity(finding.entities, static_cast<std::uint8_t>(i + 1), displacement(width_mm(facts, i)));
    }
    for (int i = 0; i < 3; ++i) {
      if (random_.uniform() < faults_.false_alarm) add_blob(random_.uniform(4, 9));
    }
    const auto specks = random_.between(0, faults_.most_specks);
    for (std::int64_t i = 0; i < specks; ++i) add_blob(random_.uniform(0.5, 2.2));
    return out_;
  }

 private:
  Voxel displacement(double entity_width_mm) {
    const double mm = std::min(7.0, faults_.shift_share * entity_width_mm);
    Voxel shift{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double sign = random_.below(2) == 0 ? -1 : 1;
      shift[i] = static_cast<std::int64_t>(std::floor(sign * mm / chest_.frame.spacing_mm[i] + 0.5));
    }
    shift[2] /= 2;
    return shift;
  }

  void copy_entity(const Voxels& truth, std::uint8_t id, const Voxel& shift) {
    const Extent& extent = chest_.frame.extent;
    for (std::int64_t z = 0; z < extent.z; ++z) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        const std::uint8_t* row = truth.data() + chest_.frame.index({0, y, z});
        for (std::int64_t x = 0; x < extent.x; ++x) {
          if (row[x] == id) copy_voxel(truth, {x, y, z}, shift);
        }
      }
    }
  }

  // Keeps an inner voxel; keeps or loses an edge voxel and gains its neighbours as the noise says.
  void copy_voxel(const Voxels& truth, const Voxel& voxel, const Voxel& shift) {
    bool edge = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const std::int64_t step : {-1, 1}) {
        Voxel near = voxel;
        near[axis] += step;
        if (!chest_.frame.contains(near) || truth[chest_.frame.index(near)] != 0) continue;
        edge = true;
        if (noise_at(near) > faults_.gained_edge) set(near, shift);
      }
    }
    // The two edges read the noise at different places, so that they move apart.
    if (edge && noise_at({voxel[0] + 40, voxel[1], voxel[2]}) > faults_.lost_edge) return;
    set(voxel, shift);
  }

  double noise_at(const Voxel& voxel) const {
    constexpr double grain = 2.6;
    return noise_.at(static_cast<double>(voxel[0]) / grain, static_cast<double>(voxel[1]) / grain,
                     static_cast<double>(voxel[2]) / grain);
  }

  void set(const Voxel& voxel, const Voxel& shift) {
    const Voxel place{voxel[0] + shift[0], voxel[1] + shift[1], voxel[2] + shift[2]};
    if (chest_.frame.contains(place)) out_[chest_.frame.index(place)] = 1;
  }

  void add_blob(double radius_mm) {
    const Extent& extent = chest_.frame.extent;
    Voxel centre{};
    for (int attempt = 0; attempt < 500; ++attempt) {
      centre = {random_.between(0, extent.x - 1), random_.between(0, extent.y - 1),
                random_.between(0, extent.z - 1)};
      if (is_lobe(chest_.organs[chest_.frame.index(centre)])) break;
    }
    const Vec3 c = chest_.frame.position(centre);
    for_each_voxel_near(chest_.frame, {c[0] - radius_mm, c[1] - radius_mm, c[2] - radius_mm},
                        {c[0] + radius_mm, c[1] + radius_mm, c[2] + radius_mm},
                        [&](const Voxel&, std::size_t index, const Vec3& p) {
                          const Vec3 offset = difference(p, c);
                          if (dot(offset, offset) <= radius_mm * radius_mm) out_[index] = 1;
                        });
  }

  const Faults& faults_;
  const ChestVolume& chest_;
  Random random_;
  SmoothNoise noise_;
  Voxels out_;
};

Voxels turned_about_z(const Voxels& voxels, const Extent& extent) {
  Voxels out(voxels.size());
  const auto per_slice = static_cast<std::ptrdiff_t>(extent.x * extent.y);
  for (std::ptrdiff_t z = 0; z < extent.z; ++z) {
    const auto first = voxels.begin() + z * per_slice;
    std::reverse_copy(first, first + per_slice, out.begin() + z * per_slice);
  }
  return out;
}

}  // namespace

std::string_view to_string(DemoSystem system) {
  switch (system) {
    case DemoSystem::good:
      return "good";
    case DemoSystem::weak:
      return "weak";
    case DemoSystem::flipped:
      return "flipped";
  }
  FIDUCIAL_ASSERT(false);
  return {};
}

std::vector<LabelMap> predicted(DemoSystem system, std::uint64_t seed, const DemoCasePlan& plan,
                                const DemoCase& truth) {
  const bool weak = system == DemoSystem::weak;
  const Grid grid{truth.chest.frame.extent, Affine::identity()};
  std::vector<LabelMap> channels;
  for (std::size_t i = 0; i < truth.findings.size(); ++i) {
    const std::string stream =
        std::string(weak ? "weak" : "good") + " system on " + plan.file_name() + " finding " + decimal(i);
    Imitator imitator(weak ? weak_faults : good_faults, truth.chest, Random(seed, stream));
    Voxels voxels = imitator.predict(truth.findings[i], truth.facts[i]);
    if (system == DemoSystem::flipped) voxels = turned_about_z(voxels, grid.extent);
    channels.push_back(labels_from_dense(grid, voxels));
  }
  return channels;
}

}  // namespace fiducial
