#include "bench_findings.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/random.h"
#include "fiducial/synth/smooth_noise.h"

namespace fiducial::bench {

namespace {

constexpr Extent extent{512, 512, 300};
constexpr Vec3 spacing_mm{0.75, 0.75, 1.12};
constexpr Vec3 lung_radii_mm{62, 88, 135};
constexpr Vec3 lung_centres_mm[] = {{115, 190, 170}, {269, 190, 170}};

struct Blob {
  Vec3 centre_mm;
  Vec3 radii_mm;
  std::uint8_t label;
};

// How the surface of a blob is bent, and what share of its inside is left out in grains.
struct Texture {
  double roughness = 0.15;  // of the radius
  double unit_mm = 6;
  double grain_unit_mm = 0;  // 0: solid
  double grain_level = 0;    // grains where the noise lies above
};

// 0 at the centre, 1 at the surface.
double relative_distance(const Vec3& p, const Vec3& centre_mm, const Vec3& radii_mm) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double d = (p[i] - centre_mm[i]) / radii_mm[i];
    sum += d * d;
  }
  return std::sqrt(sum);
}

// One channel while it is drawn; the first label drawn at a voxel stays.
class Canvas {
 public:
  Canvas() : voxels_(static_cast<std::size_t>(extent.count())) {}

  // Draws where inside(position) holds, looking only within reach of the centre.
  template <typename Inside>
  void draw(const Vec3& centre_mm, const Vec3& reach_mm, std::uint8_t label, Inside inside) {
    std::int64_t low[3];
    std::int64_t high[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t size = extent[static_cast<int>(i)];
      low[i] = std::clamp(static_cast<std::int64_t>((centre_mm[i] - reach_mm[i]) / spacing_mm[i]),
                          std::int64_t{0}, size);
      high[i] = std::clamp(static_cast<std::int64_t>((centre_mm[i] + reach_mm[i]) / spacing_mm[i]) + 2,
                           std::int64_t{0}, size);
    }
    for (std::int64_t z = low[2]; z < high[2]; ++z) {
      for (std::int64_t y = low[1]; y < high[1]; ++y) {
        for (std::int64_t x = low[0]; x < high[0]; ++x) {
          std::uint8_t& voxel = voxels_[static_cast<std::size_t>(x + extent.x * (y + extent.y * z))];
          const Vec3 p{static_cast<double>(x) * spacing_mm[0], static_cast<double>(y) * spacing_mm[1],
                       static_cast<double>(z) * spacing_mm[2]};
          if (voxel == 0 && inside(p)) voxel = label;
        }
      }
    }
  }

  void draw(const Blob& blob, const Texture& texture, const SmoothNoise& noise) {
    const double reach = 1 + texture.roughness;
    const Vec3 reach_mm{reach * blob.radii_mm[0], reach * blob.radii_mm[1], reach * blob.radii_mm[2]};
    draw(blob.centre_mm, reach_mm, blob.label, [&](const Vec3& p) {
      const double distance = relative_distance(p, blob.centre_mm, blob.radii_mm);
      if (distance > reach || distance > 1 + texture.roughness * noise.at(p, texture.unit_mm)) return false;
      return texture.grain_unit_mm == 0 || noise.at(p, texture.grain_unit_mm) > texture.grain_level;
    });
  }

  LabelMap labels() const {
    std::vector<LabelRun> runs;
    for (std::int64_t row = 0; row < extent.rows(); ++row) {
      const std::uint8_t* line = voxels_.data() + row * extent.x;
      for (std::int32_t x = 0; x < extent.x;) {
        const std::int32_t begin = x;
        while (x < extent.x && line[x] == line[begin]) ++x;
        if (line[begin] != 0) runs.push_back({static_cast<std::int32_t>(row), begin, x, line[begin]});
      }
    }
    return {Grid{extent, Affine::identity()}, std::move(runs)};
  }

 private:
  std::vector<std::uint8_t> voxels_;
};

Vec3 point_in_lungs(Random& random, double share_of_radius) {
  const Vec3& centre = lung_centres_mm[random.below(2)];
  for (;;) {
    Vec3 p{};
    for (std::size_t i = 0; i < 3; ++i) p[i] = centre[i] + random.uniform(-1, 1) * lung_radii_mm[i];
    if (relative_distance(p, centre, lung_radii_mm) < share_of_radius) return p;
  }
}

// Blobs of diameters drawn between two values, labelled 1, 2, ...; centres keep their distance.
std::vector<Blob> scattered(Random& random, int count, double least_mm, double most_mm) {
  std::vector<Blob> out;
  while (static_cast<int>(out.size()) < count) {
    const double radius = random.uniform(least_mm, most_mm) / 2;
    const Vec3 centre = point_in_lungs(random, 0.85);
    const bool clear = std::all_of(out.begin(), out.end(), [&](const Blob& other) {
      const double room = 0.8 * (radius + other.radii_mm[0]);
      return relative_distance(centre, other.centre_mm, {room, room, room}) > 1;
    });
    if (!clear) continue;
    out.push_back({centre, {radius, radius, radius}, static_cast<std::uint8_t>(out.size() + 1)});
  }
  return out;
}

// What a fair model draws of the blobs: a little off, a little too large, some missed, some invented.
struct Mistakes {
  double shift_mm = 1;
  double growth = 1.05;
  int missed = 0;
  int invented = 0;
};

std::vector<Blob> predicted(std::vector<Blob> blobs, const Mistakes& mistakes, Random& random) {
  const Vec3 radii_mm = blobs.back().radii_mm;
  blobs.resize(blobs.size() - static_cast<std::size_t>(mistakes.missed));
  for (Blob& blob : blobs) {
    blob.label = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      blob.centre_mm[i] += random.uniform(-1, 1) * mistakes.shift_mm;
      blob.radii_mm[i] *= mistakes.growth;
    }
  }
  for (int i = 0; i < mistakes.invented; ++i) blobs.push_back({point_in_lungs(random, 0.85), radii_mm, 1});
  return blobs;
}

LabelMap drawn(const std::vector<Blob>& blobs, const Texture& texture, Random& random) {
  const SmoothNoise noise(random);
  Canvas canvas;
  for (const Blob& blob : blobs) canvas.draw(blob, texture, noise);
  return canvas.labels();
}

// A layer of fluid at the back and base of both lungs, between two shares of their radius.
LabelMap effusion(double inner, double outer, bool numbered, Random& random) {
  const SmoothNoise noise(random);
  Canvas canvas;
  for (std::uint8_t side = 0; side < 2; ++side) {
    const Vec3& centre = lung_centres_mm[side];
    const auto label = static_cast<std::uint8_t>(numbered ? side + 1 : 1);
    canvas.draw(centre, lung_radii_mm, label, [&](const Vec3& p) {
      const bool back = (p[1] - centre[1]) / lung_radii_mm[1] > 0.42;
      const bool base = (p[2] - centre[2]) / lung_radii_mm[2] < 0.15;
      if (!back || !base) return false;
      const double distance = relative_distance(p, centre, lung_radii_mm);
      return distance < outer && distance > inner + 0.03 * noise.at(p, 7);
    });
  }
  return canvas.labels();
}

struct BlobFinding {
  std::string text;
  std::string category;
  std::vector<Blob> blobs;
  Texture reference;
  Texture prediction;
  Mistakes mistakes;
};

BenchFinding make(const BlobFinding& finding, Random& random) {
  LabelMap reference = drawn(finding.blobs, finding.reference, random);
  const std::vector<Blob> guess = predicted(finding.blobs, finding.mistakes, random);
  return {finding.text, finding.category, std::move(reference), drawn(guess, finding.prediction, random)};
}

BenchFinding make_effusion(Random& random) {
  LabelMap reference = effusion(0.9545, 1.00, true, random);
  return {"Bilateral pleural effusion", "2e", std::move(reference), effusion(0.945, 0.99, false, random)};
}

}  // namespace

std::vector<BenchFinding> make_bench_findings(std::uint64_t seed) {
  const auto part = [seed](const char* name) { return Random(seed, name); };
  Random one = part("one nodule");
  Random two = part("two nodules");
  Random three = part("three nodules");
  Random many = part("micronodules");
  Random glass = part("ground glass");
  Random dense = part("consolidation");
  Random fluid = part("effusion");
  Random holes = part("emphysema");
  const Texture smooth{.roughness = 0.1, .unit_mm = 3};
  const Texture cloudy{.roughness = 0.3, .unit_mm = 5, .grain_unit_mm = 7, .grain_level = -0.35};
  const Texture lobar{.roughness = 0.2, .unit_mm = 8};
  const Texture spongy{.roughness = 0.3, .unit_mm = 5, .grain_unit_mm = 6, .grain_level = 0.05};
  const Texture crumbled{.roughness = 0.3, .unit_mm = 5, .grain_unit_mm = 2.0, .grain_level = 0.265};
  const Mistakes slight{.shift_mm = 0.4, .growth = 1.1};
  const std::vector<Blob> lobe{{{112, 225, 120}, {42.6, 44.4, 40.4}, 1}};
  std::vector<BenchFinding> out;
  out.push_back(make({"Nodule of 3.5 mm", "2d", scattered(one, 1, 3.5, 3.5), smooth, smooth, slight}, one));
  out.push_back(
      make({"Two nodules", "2d", scattered(two, 2, 8, 14), smooth, smooth, {.shift_mm = 0.8}}, two));
  out.push_back(make({"Three nodules of 6 to 10 mm",
                      "2d",
                      scattered(three, 3, 6, 10),
                      smooth,
                      smooth,
                      {.shift_mm = 0.8, .invented = 1}},
                     three));
  out.push_back(make({"Micronodules",
                      "1e",
                      scattered(many, 25, 2.8, 4.2),
                      smooth,
                      smooth,
                      {.shift_mm = 0.5, .growth = 1.1, .missed = 5, .invented = 6}},
                     many));
  out.push_back(make({"Diffuse ground-glass opacities",
                      "2c",
                      scattered(glass, 25, 28.4, 37.8),
                      cloudy,
                      cloudy,
                      {.shift_mm = 2, .missed = 2, .invented = 2}},
                     glass));
  out.push_back(make({"Consolidation", "2b", lobe, lobar, lobar, {.shift_mm = 2, .growth = 1.02}}, dense));
  out.push_back(make_effusion(fluid));
  out.push_back(
      make({"Emphysema", "1c", scattered(holes, 36, 18, 28), spongy, crumbled, {.missed = 2}}, holes));
  return out;
}

}  // namespace fiducial::bench
