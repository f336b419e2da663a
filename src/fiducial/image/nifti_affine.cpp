#include "fiducial/image/nifti_affine.h"

#include <cmath>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// Negative and zero spacings break the format; like nibabel we drop the sign and take 1 for 0.
double spacing_mm(const NiftiHeader& header, std::size_t axis) {
  const double spacing = std::abs(header.pixdim[axis + 1]);
  return spacing == 0 ? 1 : spacing;
}

// Without any form nibabel centres the grid on the origin and lets x run to the left.
Affine fallback_affine(const NiftiHeader& header) {
  Affine out;
  for (std::size_t i = 0; i < 3; ++i) {
    const double step = i == 0 ? -spacing_mm(header, i) : spacing_mm(header, i);
    out.m[i] = {0, 0, 0, -step * static_cast<double>(header.dim[i + 1] - 1) / 2};
    out.m[i][i] = step;
  }
  return out;
}

}  // namespace

Result<Affine> qform_affine(const NiftiHeader& header) {
  const auto [b, c, d] = header.quaternion;
  const double rest = 1.0 - (b * b + c * c + d * d);
  if (!std::isfinite(rest) || rest < -1e-5) {
    return invalid_data("qform quaternion (" + shortest(b) + ", " + shortest(c) + ", " + shortest(d) +
                        ") is no rotation: its length exceeds 1");
  }
  const double a = rest > 0 ? std::sqrt(rest) : 0.0;
  const double handedness = header.pixdim[0] < 0 ? -1.0 : 1.0;
  const double rotation[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                                 {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
                                 {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}};
  Affine out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      out.m[i][j] = rotation[i][j] * spacing_mm(header, j) * (j == 2 ? handedness : 1.0);
    }
    out.m[i][3] = header.qoffset_mm[i];
  }
  if (!out.finite()) return invalid_data("qform holds a value that is not finite");
  return out;
}

Outcome choose_affine(NiftiHeader& header) {
  if (header.sform_code > 0 && !header.sform.finite())
    return invalid_data("sform holds a value that is not finite");
  if (header.qform_code > 0) {
    Result<Affine> qform = qform_affine(header);
    if (!qform.ok() && header.sform_code <= 0) return std::move(qform).error();
    if (!qform.ok()) {
      header.notes.push_back({"qform_unusable", qform.error().message() + "; sform is used"});
    } else if (header.sform_code > 0) {
      const double distance =
          largest_corner_distance_mm({header.extent(), *qform}, {header.extent(), header.sform});
      if (distance > 0.1) {
        header.notes.push_back({"qform_sform_disagree", "qform and sform place a corner voxel " +
                                                            fixed(distance, 3) + " mm apart; sform is used"});
      }
    } else {
      header.affine = *qform;
      return done();
    }
  }
  if (header.sform_code > 0) {
    header.affine = header.sform;
    return done();
  }
  header.affine = fallback_affine(header);
  if (!header.affine.finite()) return invalid_data("pixdim holds a value that is not finite");
  header.notes.push_back({"no_orientation", "neither sform nor qform is set; pixdim spacing is used"});
  return done();
}

}  // namespace fiducial
