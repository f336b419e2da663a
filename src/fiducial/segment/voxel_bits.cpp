#include "fiducial/segment/voxel_bits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "fiducial/spatial/components.h"

namespace fiducial {

namespace {

constexpr std::int64_t bits_a_word = PointLattice::word_bits;

// Bits of the last word that lie inside the extent.
std::uint64_t last_word_bits(const Extent& extent) {
  const std::int64_t rest = extent.x % bits_a_word;
  return rest == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << rest) - 1;
}

template <typename Combine>
PointLattice combined_bits(const PointLattice& a, const PointLattice& b, Combine combine) {
  PointLattice out(a.extent());
  const std::uint64_t last = last_word_bits(a.extent());
  for (std::int64_t z = 0; z < a.extent().z; ++z) {
    for (std::int64_t y = 0; y < a.extent().y; ++y) {
      const std::uint64_t* in_a = a.row(y, z);
      const std::uint64_t* in_b = b.row(y, z);
      std::uint64_t* to = out.row(y, z);
      for (std::int64_t w = 0; w < a.words(); ++w) to[w] = combine(in_a[w], in_b[w]);
      to[a.words() - 1] &= last;
    }
  }
  return out;
}

void add_neighbours_in_row(const std::uint64_t* from, std::int64_t words, std::uint64_t* to) {
  for (std::int64_t w = 0; w < words; ++w) {
    to[w] |= from[w] << 1 | from[w - 1] >> 63 | from[w] >> 1 | from[w + 1] << 63;
  }
}

void add_row(const PointLattice& from, std::int64_t y, std::int64_t z, std::uint64_t* to) {
  if (!from.has_row(y, z)) return;
  const std::uint64_t* line = from.row(y, z);
  for (std::int64_t w = 0; w < from.words(); ++w) to[w] |= line[w];
}

void add_runs(const PointLattice& bits, std::int64_t y, std::int64_t z, std::int32_t row,
              std::vector<MaskRun>& runs) {
  const std::uint64_t* line = bits.row(y, z);
  for (std::int64_t w = 0; w < bits.words(); ++w) {
    std::uint64_t left = line[w];
    while (left != 0) {
      const int begin = std::countr_zero(left);
      const int length = std::countr_one(left >> begin);
      const auto x = static_cast<std::int32_t>(w * bits_a_word + begin);
      if (!runs.empty() && runs.back().row == row && runs.back().end == x) {
        runs.back().end = x + length;
      } else {
        runs.push_back({row, x, x + length});
      }
      left = begin + length == bits_a_word ? 0 : left & ~std::uint64_t{0} << (begin + length);
    }
  }
}

// One voxel further along some axes at once, to face neighbours only.
PointLattice grown_a_step(const PointLattice& bits, const std::array<bool, 3>& axes) {
  PointLattice out(bits);
  const std::uint64_t last = last_word_bits(bits.extent());
  for (std::int64_t z = 0; z < bits.extent().z; ++z) {
    for (std::int64_t y = 0; y < bits.extent().y; ++y) {
      std::uint64_t* to = out.row(y, z);
      if (axes[0]) add_neighbours_in_row(bits.row(y, z), bits.words(), to);
      if (axes[1]) {
        add_row(bits, y - 1, z, to);
        add_row(bits, y + 1, z, to);
      }
      if (axes[2]) {
        add_row(bits, y, z - 1, to);
        add_row(bits, y, z + 1, to);
      }
      to[bits.words() - 1] &= last;
    }
  }
  return out;
}

}  // namespace

PointLattice both_of(const PointLattice& a, const PointLattice& b) {
  return combined_bits(a, b, [](std::uint64_t one, std::uint64_t other) { return one & other; });
}

PointLattice either_of(const PointLattice& a, const PointLattice& b) {
  return combined_bits(a, b, [](std::uint64_t one, std::uint64_t other) { return one | other; });
}

PointLattice without(const PointLattice& a, const PointLattice& b) {
  return combined_bits(a, b, [](std::uint64_t one, std::uint64_t other) { return one & ~other; });
}

PointLattice outside_of(const PointLattice& a) {
  return combined_bits(a, a, [](std::uint64_t one, std::uint64_t) { return ~one; });
}

PointLattice grown(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm) {
  const double step_mm = *std::min_element(spacing_mm.begin(), spacing_mm.end());
  const int steps = std::max(1, static_cast<int>(std::lround(radius_mm / step_mm)));
  PointLattice out(bits);
  for (int step = 1; step <= steps; ++step) {
    std::array<bool, 3> axes{};
    for (std::size_t i = 0; i < 3; ++i) {
      // Half a voxel early, so that slices as thick as the radius still count as neighbours.
      const auto passed = [&](int at) { return std::floor(at * step_mm / spacing_mm[i] + 0.5); };
      axes[i] = passed(step) > passed(step - 1);
    }
    if (step % 2 == 1) {
      out = grown_a_step(out, axes);
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      std::array<bool, 3> one{};
      one[i] = axes[i];
      if (axes[i]) out = grown_a_step(out, one);
    }
  }
  return out;
}

PointLattice shrunk(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm) {
  return outside_of(grown(outside_of(bits), spacing_mm, radius_mm));
}

PointLattice opened(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm) {
  return grown(shrunk(bits, spacing_mm, radius_mm), spacing_mm, radius_mm);
}

PointLattice closed(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm) {
  return shrunk(grown(bits, spacing_mm, radius_mm), spacing_mm, radius_mm);
}

PointLattice spread(PointLattice seeds, const PointLattice& allowed, int steps) {
  seeds = both_of(seeds, allowed);
  std::int64_t before = seeds.count();
  for (int step = 0; step < steps; ++step) {
    seeds = both_of(grown_a_step(seeds, {true, true, true}), allowed);
    const std::int64_t now = seeds.count();
    if (now == before) break;
    before = now;
  }
  return seeds;
}

PointLattice slices_filled(const PointLattice& bits) {
  const Extent& extent = bits.extent();
  PointLattice out(bits);
  const PointLattice rest = outside_of(bits);
  for (std::int64_t z = 0; z < extent.z; ++z) {
    const Mask slice = mask_of_slice(rest, z);
    const Components parts = components(slice, Connectivity::faces6);
    std::vector<bool> at_edge(static_cast<std::size_t>(parts.count()) + 1, false);
    for (const LabelRun& run : parts.labels.runs()) {
      const bool touches = run.begin == 0 || run.end == extent.x || run.row == 0 || run.row == extent.y - 1;
      if (touches) at_edge[static_cast<std::size_t>(run.label)] = true;
    }
    for (const LabelRun& run : parts.labels.runs()) {
      if (at_edge[static_cast<std::size_t>(run.label)]) continue;
      set_bits(out.row(run.row, z), run.begin, run.end);
    }
  }
  return out;
}

void set_bits(std::uint64_t* row, std::int64_t begin, std::int64_t end) {
  for (std::int64_t x = begin; x < end;) {
    const std::int64_t bit = x % bits_a_word;
    const std::int64_t many = std::min(end - x, bits_a_word - bit);
    const std::uint64_t ones = many == bits_a_word ? ~std::uint64_t{0} : (std::uint64_t{1} << many) - 1;
    row[x / bits_a_word] |= ones << bit;
    x += many;
  }
}

Mask mask_of_slice(const PointLattice& bits, std::int64_t z) {
  std::vector<MaskRun> runs;
  for (std::int64_t y = 0; y < bits.extent().y; ++y) add_runs(bits, y, z, static_cast<std::int32_t>(y), runs);
  return Mask::from_sorted_runs({{bits.extent().x, bits.extent().y, 1}, {}}, std::move(runs));
}

Mask mask_of_bits(const PointLattice& bits, const Affine& affine) {
  std::vector<MaskRun> runs;
  for (std::int64_t z = 0; z < bits.extent().z; ++z) {
    for (std::int64_t y = 0; y < bits.extent().y; ++y) {
      add_runs(bits, y, z, static_cast<std::int32_t>(y + bits.extent().y * z), runs);
    }
  }
  return Mask::from_sorted_runs({bits.extent(), affine}, std::move(runs));
}

PointLattice bits_of_mask(const Mask& mask) {
  PointLattice out(mask.extent());
  for (const MaskRun& run : mask.runs()) {
    set_bits(out.row(run.row % mask.extent().y, run.row / mask.extent().y), run.begin, run.end);
  }
  return out;
}

}  // namespace fiducial
