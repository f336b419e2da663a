#include "fiducial/image/label_encoder.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr int aligned_code = 2;

Outcome check_channels(std::span<const LabelMap> channels, ChannelAxis axis) {
  if (channels.empty()) return bad_usage("a mask file needs at least one channel");
  if (axis == ChannelAxis::none && channels.size() > 1) {
    return bad_usage(decimal(channels.size()) + " channels need a channel axis");
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].extent() != channels[0].extent()) {
      return bad_usage("channel " + decimal(i) + " has " + channels[i].extent().text() +
                       " voxels, channel 0 has " + channels[0].extent().text());
    }
    for (const LabelRun& run : channels[i].runs()) {
      if (run.label >= 0 && run.label <= 255) continue;
      return bad_usage("label " + decimal(run.label) + " of channel " + decimal(i) + " does not fit uint8");
    }
  }
  return done();
}

NiftiHeader make_header(const LabelMap& first, std::int64_t channels, ChannelAxis axis) {
  NiftiHeader header;
  const Extent& extent = first.extent();
  switch (axis) {
    case ChannelAxis::none:
      header.dim = {3, extent.x, extent.y, extent.z, 1, 1, 1, 1};
      break;
    case ChannelAxis::first:
      header.dim = {4, channels, extent.x, extent.y, extent.z, 1, 1, 1};
      break;
    case ChannelAxis::last:
      header.dim = {4, extent.x, extent.y, extent.z, channels, 1, 1, 1};
      break;
  }
  header.type = VoxelType::uint8;
  header.set_affine(first.grid().affine, aligned_code);
  if (header.rank() == 4) header.pixdim[4] = 1;
  return header;
}

}  // namespace

Result<NiftiImage> encode_labels(std::span<const LabelMap> channels, ChannelAxis axis) {
  FIDUCIAL_TRY_DONE(check_channels(channels, axis));
  const Extent& extent = channels[0].extent();
  NiftiImage image =
      NiftiImage::make(make_header(channels[0], static_cast<std::int64_t>(channels.size()), axis));
  const std::span<std::byte> bytes = image.bytes();
  const bool interleaved = axis == ChannelAxis::first;
  const std::size_t step = interleaved ? channels.size() : 1;
  for (std::size_t channel = 0; channel < channels.size(); ++channel) {
    const std::size_t start = interleaved ? channel : channel * static_cast<std::size_t>(extent.count());
    for (const LabelRun& run : channels[channel].runs()) {
      const auto row = static_cast<std::size_t>(run.row) * static_cast<std::size_t>(extent.x);
      for (std::size_t x = static_cast<std::size_t>(run.begin); x < static_cast<std::size_t>(run.end); ++x) {
        bytes[start + step * (row + x)] = static_cast<std::byte>(run.label);
      }
    }
  }
  return image;
}

}  // namespace fiducial
