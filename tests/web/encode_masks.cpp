// Seeded masks, as voxels and as what the server sends of them: what TypeScript decodes is held against it.
//
// usage: encode_masks COUNT > FILE
// For each seed: u32 extent x, y, z; one byte a voxel of a and of b; a container of a (id 7) and b (id 0)
// with entities; a container of what both have (0), what only a has (1) and what only b has (2). Containers
// follow their u32 length.

#include <cstdio>
#include <vector>

#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/image/label_map.h"
#include "fiducial/wire/runs_container.h"

namespace fiducial {
namespace {

using Voxels = std::vector<std::uint8_t>;

Voxels drawn(Random& random, const Extent& extent) {
  Voxels out(static_cast<std::size_t>(extent.count()));
  const std::uint64_t density = random.below(21);  // 0: nothing
  const std::uint64_t stay = 1 + random.below(6);
  std::uint8_t label = 0;
  for (auto& voxel : out) {
    if (random.below(stay) == 0)
      label = random.below(20) < density ? static_cast<std::uint8_t>(1 + random.below(3)) : std::uint8_t{0};
    voxel = label;
  }
  return out;
}

LabelMap label_map(const Extent& extent, const Voxels& voxels) {
  std::vector<LabelRun> runs;
  for (std::int64_t row = 0; row < extent.rows(); ++row) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      const std::int32_t label = voxels[static_cast<std::size_t>(row * extent.x + x)];
      const auto at = static_cast<std::int32_t>(x);
      if (label == 0) continue;
      if (!runs.empty() && runs.back().row == row && runs.back().end == at && runs.back().label == label)
        ++runs.back().end;
      else
        runs.push_back({static_cast<std::int32_t>(row), at, at + 1, label});
    }
  }
  return {{.extent = extent, .affine = {}}, std::move(runs)};
}

LabelMap label_map(const Mask& mask) {
  std::vector<LabelRun> runs;
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {mask.grid(), std::move(runs)};
}

void write(const void* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, stdout) != count) std::abort();
}

void write_number(std::int64_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  write(&number, sizeof number);
}

void write_container(const Extent& extent, std::span<const wire::NumberedMask> masks, bool with_entities) {
  const Bytes container = wire::encode_runs(extent, masks, with_entities).value();
  write_number(static_cast<std::int64_t>(container.size()));
  write(container.data(), container.size());
}

void write_pair(std::uint64_t seed) {
  Random random(seed);
  const Extent extent{random.between(1, 40), random.between(1, 12), random.between(1, 6)};
  for (int axis = 0; axis < 3; ++axis) write_number(extent[axis]);
  const Voxels voxels[] = {drawn(random, extent), drawn(random, extent)};
  for (const Voxels& one : voxels) write(one.data(), one.size());
  const LabelMap a = label_map(extent, voxels[0]);
  const LabelMap b = label_map(extent, voxels[1]);
  const wire::NumberedMask pair[] = {{7, &a}, {0, &b}};
  write_container(extent, pair, true);
  const LabelMap both = label_map(intersected(a.foreground(), b.foreground()));
  const LabelMap missed = label_map(subtracted(a.foreground(), b.foreground()));
  const LabelMap extra = label_map(subtracted(b.foreground(), a.foreground()));
  const wire::NumberedMask parts[] = {{0, &both}, {1, &missed}, {2, &extra}};
  write_container(extent, parts, false);
}

}  // namespace
}  // namespace fiducial

int main(int count, char** words) {
  const auto seeds = count == 2 ? fiducial::parse_unsigned(words[1]) : std::nullopt;
  if (!seeds) return 2;
  for (std::uint64_t seed = 0; seed < *seeds; ++seed) fiducial::write_pair(seed);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
