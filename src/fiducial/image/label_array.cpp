#include "fiducial/image/label_array.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::int64_t block = 64;  // voxels looked at together

template <typename T>
T stored(const std::byte* at) {
  T value{};
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// Reads labels of one type and remembers the first that does not fit 32 bits.
template <typename T>
class LabelArrayReader {
 public:
  explicit LabelArrayReader(bool swapped) : swapped_(swapped) {}

  std::int32_t label(T raw) {
    const T value = swapped_ ? byte_swapped(raw) : raw;
    if (!std::in_range<std::int32_t>(value) && unfit_.empty()) unfit_ = decimal(value);
    return static_cast<std::int32_t>(value);
  }
  const std::string& unfit() const { return unfit_; }

 private:
  bool swapped_;
  std::string unfit_;
};

// Rows whose voxels lie in a line, one after the other or with gaps: each is scanned to its end.
template <typename T>
std::vector<LabelRun> scan_rows(const VoxelArray& voxels, LabelArrayReader<T>& reader) {
  std::vector<LabelRun> out;
  const std::int64_t step = voxels.stride_bytes[0];
  const auto& [width, height, depth] = voxels.extent;
  for (std::int64_t row = 0; row < height * depth; ++row) {
    if (row % height == 0 && call_given_up()) break;
    const std::byte* const line =
        voxels.first + voxels.stride_bytes[1] * (row % height) + voxels.stride_bytes[2] * (row / height);
    for (std::int64_t begin = 0, end = 0; begin < width; begin = end) {
      const T value = stored<T>(line + begin * step);
      end = begin + 1;
      if (step == sizeof(T)) {
        // A block equals the one a voxel before it exactly when all its voxels are alike.
        while (end + block <= width &&
               std::memcmp(line + end * step, line + (end - 1) * step, block * sizeof(T)) == 0) {
          end += block;
        }
      }
      while (end < width && stored<T>(line + end * step) == value) ++end;
      if (value == 0) continue;
      out.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(begin),
                     static_cast<std::int32_t>(end), reader.label(value)});
    }
  }
  return out;
}

// Rows that lie across the memory: the planes of equal x are compared one with the next, and a run begins or
// ends where they differ.
template <typename T>
class PlaneSweep {
 public:
  PlaneSweep(const VoxelArray& voxels, LabelArrayReader<T>& reader)
      : voxels_(voxels),
        reader_(reader),
        rows_(static_cast<std::size_t>(voxels.extent.rows())),
        value_(rows_),
        begin_(rows_) {}

  std::vector<LabelRun> runs() {
    std::array<int, 3> axes{0, 1, 2};  // slowest in memory first
    std::stable_sort(axes.begin(), axes.end(),
                     [this](int a, int b) { return std::abs(stride(a)) > std::abs(stride(b)); });
    if (axes[2] == 0) std::swap(axes[1], axes[2]);
    std::array<std::int64_t, 3> at{0, 0, 0};
    for (at[index(axes[0])] = 0; at[index(axes[0])] < voxels_.extent[axes[0]]; ++at[index(axes[0])]) {
      if (call_given_up()) return {};
      for (at[index(axes[1])] = 0; at[index(axes[1])] < voxels_.extent[axes[1]]; ++at[index(axes[1])]) {
        sweep_line(at, axes[2]);
      }
    }
    for (std::size_t row = 0; row < rows_; ++row) close(row, voxels_.extent.x);
    return sorted();
  }

 private:
  static std::size_t index(int axis) { return static_cast<std::size_t>(axis); }
  std::int64_t stride(int axis) const { return voxels_.stride_bytes[index(axis)]; }

  // Looks at the voxels of one x along an axis.
  void sweep_line(std::array<std::int64_t, 3> at, int axis) {
    at[index(axis)] = 0;
    const std::byte* line = voxels_.first;
    for (int i = 0; i < 3; ++i) line += stride(i) * at[index(i)];
    const std::int64_t count = voxels_.extent[axis];
    const std::int64_t step = stride(axis);
    const std::int64_t row = at[1] + voxels_.extent.y * at[2];
    const std::int64_t row_step = axis == 1 ? 1 : voxels_.extent.y;
    for (std::int64_t first = 0; first < count; first += block) {
      const std::int64_t some = std::min(block, count - first);
      if (step == sizeof(T) && unchanged(line + first * step, some, at[0])) continue;
      for (std::int64_t i = first; i < first + some; ++i) {
        take(static_cast<std::size_t>(row + i * row_step), at[0], stored<T>(line + i * step));
      }
    }
  }

  bool unchanged(const std::byte* here, std::int64_t count, std::int64_t x) const {
    static constexpr std::array<std::byte, static_cast<std::size_t>(block) * sizeof(T)> nothing{};
    const std::byte* const before = x == 0 ? nothing.data() : here - stride(0);
    return std::memcmp(here, before, static_cast<std::size_t>(count) * sizeof(T)) == 0;
  }

  void take(std::size_t row, std::int64_t x, T value) {
    if (value == value_[row]) return;
    close(row, x);
    value_[row] = value;
    begin_[row] = static_cast<std::int32_t>(x);
  }

  void close(std::size_t row, std::int64_t x) {
    if (value_[row] == 0) return;
    closed_.push_back({static_cast<std::int32_t>(row), begin_[row], static_cast<std::int32_t>(x),
                       reader_.label(value_[row])});
  }

  // By row; within a row runs were closed in ascending order.
  std::vector<LabelRun> sorted() const {
    std::vector<std::size_t> next(rows_ + 1);
    for (const LabelRun& run : closed_) ++next[static_cast<std::size_t>(run.row) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<LabelRun> out(closed_.size());
    for (const LabelRun& run : closed_) out[next[static_cast<std::size_t>(run.row)]++] = run;
    return out;
  }

  const VoxelArray& voxels_;
  LabelArrayReader<T>& reader_;
  std::size_t rows_;
  std::vector<T> value_;  // of each row at the last x looked at
  std::vector<std::int32_t> begin_;
  std::vector<LabelRun> closed_;
};

template <typename T>
Result<LabelMap> read_labels(const VoxelArray& voxels, const Affine& affine) {
  LabelArrayReader<T> reader(voxels.swapped);
  const auto& stride = voxels.stride_bytes;
  const std::int64_t across = std::min(std::abs(stride[1]), std::abs(stride[2]));
  const bool along_rows = std::abs(stride[0]) <= across || voxels.extent.x == 1;
  std::vector<LabelRun> runs =
      along_rows ? scan_rows<T>(voxels, reader) : PlaneSweep<T>(voxels, reader).runs();
  if (call_given_up()) return given_up();
  if (!reader.unfit().empty()) return bad_usage("label " + reader.unfit() + " does not fit 32 bits");
  return LabelMap({voxels.extent, affine}, std::move(runs));
}

}  // namespace

Result<LabelMap> labels_from_array(const VoxelArray& voxels, const Affine& affine) {
  FIDUCIAL_TRY_DONE(check_mask_extent(voxels.extent));
  switch (voxels.type) {
    case VoxelType::uint8:
      return read_labels<std::uint8_t>(voxels, affine);
    case VoxelType::int8:
      return read_labels<std::int8_t>(voxels, affine);
    case VoxelType::uint16:
      return read_labels<std::uint16_t>(voxels, affine);
    case VoxelType::int16:
      return read_labels<std::int16_t>(voxels, affine);
    case VoxelType::uint32:
      return read_labels<std::uint32_t>(voxels, affine);
    case VoxelType::int32:
      return read_labels<std::int32_t>(voxels, affine);
    case VoxelType::uint64:
      return read_labels<std::uint64_t>(voxels, affine);
    case VoxelType::int64:
      return read_labels<std::int64_t>(voxels, affine);
    default:
      return bad_usage("voxels of type " + std::string(to_string(voxels.type)) + "; expected integers");
  }
}

}  // namespace fiducial
