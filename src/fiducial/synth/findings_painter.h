#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_anatomy.h"
#include "fiducial/synth/chest_volume.h"
#include "fiducial/synth/lung_tree.h"
#include "fiducial/synth/smooth_noise.h"

namespace fiducial {

enum class FindingKind {
  bronchial_wall_thickening,
  emphysema,
  linear_atelectasis,
  consolidation,
  ground_glass,
  nodules,
  pleural_effusion,
};

// The benchmark's leaf code, e.g. "2d".
std::string_view category_code(FindingKind kind);

enum class Side { right, left, both };

// What to paint; where exactly is left to chance.
struct FindingPlan {
  FindingKind kind = FindingKind::nodules;
  Side side = Side::right;
  int entities = 1;  // with Side::both at least two
};

// The voxels of a finding: 0 or the id of an entity, counted from 1, x fastest.
struct PaintedFinding {
  FindingKind kind = FindingKind::nodules;
  std::vector<std::uint8_t> entities;
};

// Paints findings into the lungs and the pleural space of one chest, each apart from the ones before.
class FindingsPainter {
 public:
  FindingsPainter(ChestVolume& chest, const ChestAnatomy& anatomy, const LungTrees& trees, Random& random);
  PaintedFinding paint(const FindingPlan& plan);

 private:
  // A roundish region with a rough outline that fades over some millimetres.
  struct Blob {
    Vec3 centre;
    double radius_mm = 1;
    double roughness = 0;
    double soft_mm = 1;
  };
  template <typename Visit>
  void for_each_voxel_of(const Blob& blob, Visit visit) const;

  bool on_side(std::uint8_t organ, bool left) const;
  bool free(std::size_t index) const;
  Vec3 free_place(bool left, double margin_mm, std::optional<Organ> lobe = std::nullopt);
  bool roomy(const Voxel& voxel, double margin_mm) const;

  void paint_entity(const FindingPlan& plan, bool left, std::uint8_t id);
  void paint_nodule(bool left, std::uint8_t id);
  void paint_consolidation(bool left, std::uint8_t id);
  void paint_ground_glass(bool left, std::uint8_t id);
  void paint_emphysema(bool left, std::uint8_t id);
  void paint_linear_atelectasis(bool left, std::uint8_t id);
  void paint_effusion(bool left, std::uint8_t id);
  void paint_bronchial_walls(bool left, std::uint8_t id);
  void blend(std::size_t index, double hu, double share);
  // The finding's share of a voxel: at half and above the voxel belongs to it.
  void mark(std::size_t index, std::uint8_t id, double hu, double share = 1);

  ChestVolume& chest_;
  const ChestAnatomy& anatomy_;
  const LungTrees& trees_;
  Random& random_;
  SmoothNoise shape_;
  std::vector<std::uint8_t> occupied_;
  std::vector<std::uint8_t> entities_;  // of the finding being painted
};

}  // namespace fiducial
