#include "fiducial/image/mask.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace fiducial {

namespace {

// Where the next change of membership of a mask lies, as a position (row, x) that only moves forward.
struct Position {
  std::int32_t row = 0;
  std::int32_t x = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

constexpr Position at_end{std::numeric_limits<std::int32_t>::max(), 0};

class Edges {
 public:
  explicit Edges(std::span<const MaskRun> runs) : runs_(runs) {}

  Position next() const {
    if (runs_.empty()) return at_end;
    return {runs_.front().row, inside_ ? runs_.front().end : runs_.front().begin};
  }
  bool inside() const { return inside_; }
  void pass() {
    if (inside_) runs_ = runs_.subspan(1);
    inside_ = !inside_;
  }

 private:
  std::span<const MaskRun> runs_;
  bool inside_ = false;
};

// Walks the edges of both masks in order; keep(in_a, in_b) decides what belongs to the result.
template <typename Keep>
Mask combined(const Mask& a, const Mask& b, Keep keep) {
  FIDUCIAL_ASSERT(a.extent() == b.extent());
  Edges in_a(a.runs());
  Edges in_b(b.runs());
  std::vector<MaskRun> runs;
  Position started{};
  bool kept = false;
  for (;;) {
    const Position at = std::min(in_a.next(), in_b.next());
    if (at == at_end) break;
    while (in_a.next() == at) in_a.pass();
    while (in_b.next() == at) in_b.pass();
    const bool keeps = keep(in_a.inside(), in_b.inside());
    if (keeps == kept) continue;
    if (kept) runs.push_back({started.row, started.x, at.x});
    started = at;
    kept = keeps;
  }
  return Mask::from_sorted_runs(a.grid(), std::move(runs));
}

// Moves x on while whole groups of words are zero.
template <std::size_t Words>
std::size_t skip_zero_words(std::span<const std::uint8_t> line, std::size_t x) {
  std::array<std::uint64_t, Words> words{};
  for (; x + sizeof words <= line.size(); x += sizeof words) {
    std::memcpy(words.data(), line.data() + x, sizeof words);
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    if (any != 0) break;
  }
  return x;
}

// The first non-zero byte at or after x. Masks are mostly empty, so many bytes are looked at together.
std::size_t skip_zeros(std::span<const std::uint8_t> line, std::size_t x) {
  x = skip_zero_words<1>(line, skip_zero_words<4>(line, x));
  const std::uint8_t* const voxels = line.data();
  const std::size_t size = line.size();
  while (x < size && voxels[x] == 0) ++x;
  return x;
}

std::size_t skip_others(std::span<const std::uint8_t> line, std::size_t x) {
  const std::uint8_t* const voxels = line.data();
  const std::size_t size = line.size();
  while (x < size && voxels[x] != 0) ++x;
  return x;
}

}  // namespace

Mask Mask::from_sorted_runs(Grid grid, std::vector<MaskRun> runs) {
  std::size_t kept = 0;  // runs that touch become one, in place
  for (const MaskRun& run : runs) {
    if (kept > 0 && runs[kept - 1].row == run.row && runs[kept - 1].end >= run.begin) {
      runs[kept - 1].end = std::max(runs[kept - 1].end, run.end);
    } else if (run.end > run.begin) {
      runs[kept++] = run;
    }
  }
  runs.resize(kept);
  Mask out(grid);
  out.runs_ = std::move(runs);
  for (const MaskRun& run : out.runs_) out.count_ += run.end - run.begin;
  return out;
}

Mask Mask::from_dense(Grid grid, std::span<const std::uint8_t> voxels) {
  FIDUCIAL_ASSERT(static_cast<std::int64_t>(voxels.size()) == grid.extent.count());
  std::vector<MaskRun> runs;
  const std::int64_t width = grid.extent.x;
  for (std::int64_t row = 0; row < grid.extent.rows(); ++row) {
    const std::span line =
        voxels.subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width));
    for (std::size_t x = skip_zeros(line, 0); x < line.size(); x = skip_zeros(line, x)) {
      const std::size_t begin = x;
      x = skip_others(line, x);
      runs.push_back(
          {static_cast<std::int32_t>(row), static_cast<std::int32_t>(begin), static_cast<std::int32_t>(x)});
    }
  }
  return from_sorted_runs(grid, std::move(runs));
}

VoxelBox Mask::bounds() const {
  if (empty()) return {};
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  VoxelBox box{{most, most, most}, {0, 0, 0}};
  for (const MaskRun& run : runs_) {
    const std::array<std::int64_t, 3> low{run.begin, run.row % extent().y, run.row / extent().y};
    const std::array<std::int64_t, 3> high{run.end, low[1] + 1, low[2] + 1};
    for (std::size_t i = 0; i < 3; ++i) {
      box.low[i] = std::min(box.low[i], low[i]);
      box.high[i] = std::max(box.high[i], high[i]);
    }
  }
  return box;
}

std::vector<std::uint8_t> Mask::dense() const {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(extent().count()));
  for (const MaskRun& run : runs_) {
    const auto row = out.begin() + run.row * extent().x;
    std::fill(row + run.begin, row + run.end, std::uint8_t{1});
  }
  return out;
}

Mask united(const Mask& a, const Mask& b) {
  return combined(a, b, [](bool in_a, bool in_b) { return in_a || in_b; });
}

Mask intersected(const Mask& a, const Mask& b) {
  return combined(a, b, [](bool in_a, bool in_b) { return in_a && in_b; });
}

Mask subtracted(const Mask& a, const Mask& b) {
  return combined(a, b, [](bool in_a, bool in_b) { return in_a && !in_b; });
}

Outcome check_mask_extent(const Extent& extent) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (extent.x < most && extent.y < most && extent.z < most && extent.y <= (most - 1) / extent.z)
    return done();
  return invalid_data("a mask of " + extent.text() + " voxels has more rows than 32 bits can number");
}

}  // namespace fiducial
