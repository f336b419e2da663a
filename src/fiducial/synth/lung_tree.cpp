#include "fiducial/synth/lung_tree.h"

#include <algorithm>
#include <cmath>

#include "fiducial/synth/chest_anatomy.h"
#include "fiducial/synth/organ_labels.h"

namespace fiducial {

namespace {

constexpr int vessel_tips = 620;
constexpr int bronchus_tips = 34;
// A branch prefers a short way to the hilum over a short way to its parent by this weight.
constexpr double path_weight = 0.45;

struct Node {
  Vec3 place;
  std::size_t parent = 0;
  double path_mm = 0;
  double hilum_mm = 0;
  double tips = 1;
};

double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

std::vector<Vec3> random_lung_points(const ChestVolume& chest, bool left, int count, Random& random) {
  std::vector<Vec3> points;
  const Extent& extent = chest.frame.extent;
  for (int attempt = 0; attempt < 60 * count && points.size() < static_cast<std::size_t>(count); ++attempt) {
    const Voxel voxel{random.between(0, extent.x - 1), random.between(0, extent.y - 1),
                      random.between(0, extent.z - 1)};
    const std::uint8_t organ = chest.organs[chest.frame.index(voxel)];
    if (is_lobe(organ) && is_left_lobe(organ) == left) points.push_back(chest.frame.position(voxel));
  }
  return points;
}

// Joins every point, nearest to the hilum first, to the node that gives it the shortest weighted way back.
std::vector<Node> grown_tree(const Vec3& root, const std::vector<Vec3>& points) {
  std::vector<Node> candidates;
  candidates.reserve(points.size());
  for (const Vec3& point : points) {
    candidates.push_back({.place = point, .hilum_mm = length(difference(point, root))});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Node& a, const Node& b) { return a.hilum_mm < b.hilum_mm; });
  std::vector<Node> nodes{{.place = root}};
  for (Node& next : candidates) {
    double best = 1e18;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double step = length(difference(next.place, nodes[i].place));
      const double cost = step + path_weight * nodes[i].path_mm;
      if (cost >= best) continue;
      best = cost;
      next.parent = i;
      next.path_mm = nodes[i].path_mm + step;
    }
    nodes.push_back(next);
  }
  for (std::size_t i = nodes.size(); i-- > 1;) nodes[nodes[i].parent].tips += nodes[i].tips;
  return nodes;
}

std::vector<Tube> tubes_of(const std::vector<Node>& nodes, double tip_radius_mm) {
  std::vector<Tube> tubes;
  const auto radius = [&](const Node& node) { return tip_radius_mm * std::sqrt(std::sqrt(node.tips)); };
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const Node& parent = nodes[nodes[i].parent];
    const double r = radius(nodes[i]);
    tubes.push_back({parent.place, nodes[i].place, std::min(radius(parent), 1.3 * r), r});
  }
  return tubes;
}

template <typename Visit>
void for_each_lung_voxel_of(const ChestVolume& chest, const Tube& tube, double margin, Visit visit) {
  Vec3 low{};
  Vec3 high{};
  const double reach = tube.largest_radius() + margin;
  for (std::size_t i = 0; i < 3; ++i) {
    low[i] = std::min(tube.from[i], tube.to[i]) - reach;
    high[i] = std::max(tube.from[i], tube.to[i]) + reach;
  }
  for_each_voxel_near(chest.frame, low, high, [&](const Voxel&, std::size_t index, const Vec3& p) {
    if (is_lobe(chest.organs[index])) visit(index, tube.distance(p));
  });
}

std::int16_t blended(std::int16_t under, double over, double share) {
  return static_cast<std::int16_t>(std::floor(under + (over - under) * share + 0.5));
}

void paint_vessel(ChestVolume& chest, const Tube& tube) {
  constexpr double half_voxel_mm = 0.9;
  for_each_lung_voxel_of(chest, tube, half_voxel_mm, [&](std::size_t index, double distance) {
    const double share = std::clamp((half_voxel_mm - distance) / (2 * half_voxel_mm), 0.0, 1.0);
    chest.hu[index] = std::max(chest.hu[index], blended(chest.hu[index], 38, share));
  });
}

void paint_bronchus(ChestVolume& chest, const Tube& tube) {
  for_each_lung_voxel_of(chest, tube, 0.6, [&](std::size_t index, double distance) {
    const double radius = tube.largest_radius();
    const bool open = distance + radius < lumen_radius(radius);
    if (open) {
      chest.hu[index] = -960;
    } else if (distance < 0.6) {
      chest.hu[index] = std::max<std::int16_t>(chest.hu[index], distance < 0 ? -380 : -640);
    }
  });
}

}  // namespace

double lumen_radius(double outer_radius) { return outer_radius * 0.68; }

LungTrees paint_lung_trees(ChestVolume& chest, Random& random) {
  LungTrees trees;
  for (const bool left : {false, true}) {
    const Vec3 root = hilum(left);
    for (const Tube& tube :
         tubes_of(grown_tree(root, random_lung_points(chest, left, vessel_tips, random)), 0.86)) {
      paint_vessel(chest, tube);
    }
    for (const Tube& tube :
         tubes_of(grown_tree(root, random_lung_points(chest, left, bronchus_tips, random)), 1.35)) {
      paint_bronchus(chest, tube);
      trees.bronchi.push_back(tube);
    }
  }
  return trees;
}

}  // namespace fiducial
