#include "fiducial/datasets/slice_order.h"

#include <algorithm>
#include <set>

#include "fiducial/image/volume_slice.h"

namespace fiducial {

namespace {

constexpr std::size_t most_sampled_slices = 12;
constexpr std::int64_t least_voxels = 30;
constexpr double least_outside = 0.5;
constexpr double most_outside_reversed = 0.1;
constexpr double air_hu = -400;

// What is air in the values as they are.
float air_threshold(const RescaleVerdict& values) {
  const Rescale& rescale = values.rescale;
  switch (values.state) {
    case RescaleState::never:
      return static_cast<float>((air_hu - rescale.intercept) / rescale.slope);
    case RescaleState::twice:
      return static_cast<float>(air_hu * rescale.slope + rescale.intercept);
    default:
      return static_cast<float>(air_hu);
  }
}

std::vector<std::int64_t> chosen_slices(std::span<const LabelMap> channels) {
  std::set<std::int64_t> all;
  for (const LabelMap& channel : channels) {
    for (const LabelRun& run : channel.runs()) all.insert(run.row / channel.extent().y);
  }
  std::vector<std::int64_t> slices(all.begin(), all.end());
  if (slices.size() <= most_sampled_slices) return slices;
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < most_sampled_slices; ++i)
    out.push_back(slices[i * (slices.size() - 1) / (most_sampled_slices - 1)]);
  return out;
}

// Counts the voxels of a mask that lie outside the body, slice by slice.
class OutsideCounter {
 public:
  explicit OutsideCounter(std::span<const LabelMap> channels) : channels_(channels) {}

  // Of the mask's slice, the voxels that would lie outside a body.
  std::int64_t outside(std::int64_t mask_slice, const std::vector<std::uint8_t>& air) const {
    std::int64_t out = 0;
    for_each_run(mask_slice, [&](std::int64_t row, const LabelRun& run) {
      const std::int64_t width = channels_.front().extent().x;
      for (std::int64_t x = run.begin; x < run.end; ++x)
        out += air[static_cast<std::size_t>(row * width + x)];
    });
    return out;
  }

  std::int64_t voxels(std::int64_t mask_slice) const {
    std::int64_t out = 0;
    for_each_run(mask_slice, [&](std::int64_t, const LabelRun& run) { out += run.end - run.begin; });
    return out;
  }

 private:
  template <typename Visit>
  void for_each_run(std::int64_t slice, Visit visit) const {
    for (const LabelMap& channel : channels_) {
      const std::int64_t rows = channel.extent().y;
      auto run = std::lower_bound(channel.runs().begin(), channel.runs().end(), slice * rows,
                                  [](const LabelRun& one, std::int64_t row) { return one.row < row; });
      for (; run != channel.runs().end() && run->row < (slice + 1) * rows; ++run) {
        visit(run->row - slice * rows, *run);
      }
    }
  }

  std::span<const LabelMap> channels_;
};

}  // namespace

bool SliceOrderEvidence::is_reversed() const {
  return voxels >= least_voxels && outside_as_is >= least_outside &&
         outside_reversed <= most_outside_reversed;
}

std::vector<std::uint8_t> outside_of_body(std::span<const float> slice, std::int64_t width, float threshold) {
  const auto size = static_cast<std::int64_t>(slice.size());
  std::vector<std::uint8_t> out(slice.size(), 0);
  std::vector<std::int64_t> front;
  const auto reach = [&](std::int64_t at) {
    const auto i = static_cast<std::size_t>(at);
    if (out[i] != 0 || !(slice[i] < threshold)) return;
    out[i] = 1;
    front.push_back(at);
  };
  for (std::int64_t at = 0; at < size; ++at) {
    const std::int64_t x = at % width;
    if (x == 0 || x == width - 1 || at < width || at >= size - width) reach(at);
  }
  while (!front.empty()) {
    const std::int64_t at = front.back();
    front.pop_back();
    const std::int64_t x = at % width;
    if (x > 0) reach(at - 1);
    if (x + 1 < width) reach(at + 1);
    if (at >= width) reach(at - width);
    if (at + width < size) reach(at + width);
  }
  return out;
}

Result<std::optional<SliceOrderEvidence>> look_at_slice_order(const Path& volume,
                                                              const RescaleVerdict& values,
                                                              std::span<const LabelMap> channels) {
  const std::optional<SliceOrderEvidence> nothing;
  if (values.state == RescaleState::unrecognised || channels.empty()) return nothing;
  const std::vector<std::int64_t> chosen = chosen_slices(channels);
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(volume));
  const Extent extent = stream.header().extent();
  if (chosen.empty() || stream.header().rank() != 3 || extent != channels.front().extent()) return nothing;

  const OutsideCounter counter(channels);
  std::set<std::int64_t> wanted(chosen.begin(), chosen.end());
  SliceOrderEvidence out{.slices = static_cast<std::int64_t>(chosen.size())};
  for (const std::int64_t slice : chosen) {
    wanted.insert(extent.z - 1 - slice);
    out.voxels += counter.voxels(slice);
  }
  std::int64_t as_is = 0;
  std::int64_t reversed = 0;
  const float threshold = air_threshold(values);
  const std::vector<std::int64_t> slices(wanted.begin(), wanted.end());
  FIDUCIAL_TRY_DONE(
      visit_volume_slices(stream, slices, [&](std::int64_t slice, std::span<const float> pixels) {
        const std::vector<std::uint8_t> air = outside_of_body(pixels, extent.x, threshold);
        const std::int64_t mirror = extent.z - 1 - slice;
        const auto is_chosen = [&chosen](std::int64_t z) {
          return std::binary_search(chosen.begin(), chosen.end(), z);
        };
        if (is_chosen(slice)) as_is += counter.outside(slice, air);
        if (is_chosen(mirror)) reversed += counter.outside(mirror, air);
      }));
  out.outside_as_is = static_cast<double>(as_is) / static_cast<double>(out.voxels);
  out.outside_reversed = static_cast<double>(reversed) / static_cast<double>(out.voxels);
  return std::optional(out);
}

}  // namespace fiducial
