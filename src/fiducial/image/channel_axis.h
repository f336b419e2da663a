#pragma once

namespace fiducial {

// Where the channel index stands among the four axes of a mask file.
enum class ChannelAxis {
  none,   // three axes, one channel
  first,  // (F, H, W, D): channels are interleaved voxel by voxel
  last,   // (H, W, D, F): one whole volume after the other
};

}  // namespace fiducial
