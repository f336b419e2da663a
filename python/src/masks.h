#pragma once

#include <optional>

#include <nanobind/nanobind.h>

#include "fiducial/image/label_map.h"

namespace fiducial::python {

// A mask with entity labels, and whether its grid says where it lies in the patient.
struct LabelMask {
  LabelMap labels;
  bool placed = false;

  std::optional<Vec3> spacing_mm() const;  // nothing where there are no millimetres
};

nanobind::any affine_array(const Affine& affine);  // 4 x 4, as NumPy has it
Affine affine_from(const nanobind::object& rows);  // anything NumPy takes as 4 x 4 numbers

void define_masks(nanobind::module_& module);

}  // namespace fiducial::python
