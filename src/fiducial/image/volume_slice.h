#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// A plane of a volume at right angles to one of its index axes.
struct PlanePlace {
  int axis = 2;
  std::int64_t index = 0;

  friend bool operator==(const PlanePlace&, const PlanePlace&) = default;
};

// The values of a plane, scaled by the header; for a CT these are Hounsfield units. The two axes that remain
// keep their order, the lower one varies fastest.
struct VolumePlane {
  PlanePlace place;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<float> values;
};

// Reads the wanted planes of a 3D volume in one pass that holds one slice besides them, in the order asked
// for.
//
// Stops after the last slice that is needed: what follows is neither read nor verified. Refuses places
// outside the volume, other ranks, and voxels that are no real numbers.
Result<std::vector<VolumePlane>> read_volume_planes(NiftiStream& stream, std::span<const PlanePlace> wanted);

// Calls visit(index, values) for the wanted slices of the third axis, which ascend; values are scaled by the
// header, x fastest. Holds one slice. Stops and refuses as read_volume_planes does.
Outcome visit_volume_slices(NiftiStream& stream, std::span<const std::int64_t> wanted,
                            const std::function<void(std::int64_t, std::span<const float>)>& visit);

}  // namespace fiducial
