#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/geometry/orientation.h"

namespace fiducial {

// What was done to an image, one step after the other; each leaves its voxels a grid in the patient.
namespace transform_steps {

struct Orient {
  OrientationCode code;  // axes rearranged
};
// Other voxel edges along the same axes. Either the first voxel keeps its place, and an axis gets
// round((n - 1) edge / new edge) + 1 voxels, halves to even (MONAI's Spacing), or the outer faces keep
// theirs nearly: round(n edge / new edge).
struct Spacing {
  Vec3 mm{1, 1, 1};
  bool keeps_first_voxel = true;
};
struct Onto {
  Grid grid;  // any other grid in the same patient
};
struct Crop {
  std::array<std::int64_t, 3> low{0, 0, 0};
  Extent shape;
};
struct Pad {
  std::array<std::int64_t, 3> low{0, 0, 0};
  std::array<std::int64_t, 3> high{0, 0, 0};
};
struct Move {
  Affine mm;  // the image is moved in the patient: a rigid or affine registration
};

}  // namespace transform_steps

using TransformStep = std::variant<transform_steps::Orient, transform_steps::Spacing, transform_steps::Onto,
                                   transform_steps::Crop, transform_steps::Pad, transform_steps::Move>;

// A recorded transform: from the grid of one image to that of another, and back.
struct TransformRecord {
  Grid from;
  std::vector<TransformStep> steps;

  Grid to;     // as the headers of transformed images say, or would
  Grid place;  // where their voxels lie in the patient of `from`

  Json json() const;  // "fiducial.transform/1"
};

// Follows the steps. Refuses what cannot be undone: singular affines, edges of no length, a crop that leaves
// its image, steps that leave no voxel or more than an image may have.
Result<TransformRecord> make_transform_record(const Grid& from, std::vector<TransformStep> steps);

// Errors name the place in the document. Where it says "to", the steps must end there.
Result<TransformRecord> parse_transform_record(std::string_view json);

}  // namespace fiducial
