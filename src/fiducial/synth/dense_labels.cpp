#include "fiducial/synth/dense_labels.h"

#include "fiducial/base/error.h"

namespace fiducial {

LabelMap labels_from_dense(const Grid& grid, std::span<const std::uint8_t> voxels) {
  FIDUCIAL_ASSERT(static_cast<std::int64_t>(voxels.size()) == grid.extent.count());
  const auto width = static_cast<std::size_t>(grid.extent.x);
  std::vector<LabelRun> runs;
  for (std::size_t row = 0; row * width < voxels.size(); ++row) {
    const std::span<const std::uint8_t> line = voxels.subspan(row * width, width);
    for (std::size_t x = 0; x < width;) {
      std::size_t end = x + 1;
      while (end < width && line[end] == line[x]) ++end;
      if (line[x] != 0) {
        runs.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(x),
                        static_cast<std::int32_t>(end), line[x]});
      }
      x = end;
    }
  }
  return {grid, std::move(runs)};
}

}  // namespace fiducial
