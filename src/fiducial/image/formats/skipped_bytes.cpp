#include "fiducial/image/formats/skipped_bytes.h"

#include <algorithm>

namespace fiducial {

Outcome skip_bytes(ByteStream& bytes, std::uint64_t count) {
  Bytes buffer(std::min<std::uint64_t>(count, 64 << 10));
  while (count > 0) {
    const std::size_t wanted = std::min<std::uint64_t>(count, buffer.size());
    FIDUCIAL_TRY(const std::size_t got, bytes.read(std::span(buffer).first(wanted)));
    if (got < wanted) return invalid_data("file ends before its first voxel");
    count -= got;
  }
  return done();
}

Outcome check_plain_axes(const VolumeContent& content) {
  const NiftiHeader& header = content.image.header();
  const bool has_channels = content.channels != ChannelAxis::none;
  if (header.rank() == (has_channels ? 4 : 3)) return done();
  if (header.rank() == 4) {
    return bad_usage("array of shape " + header.shape_text() +
                     ": say whether its channels come first or last (--channels)");
  }
  return bad_usage("array of shape " + header.shape_text() + "; expected three axes, or four with channels");
}

}  // namespace fiducial
