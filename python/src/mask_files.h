#pragma once

#include <nanobind/nanobind.h>

namespace fiducial::python {

// Files of masks of a case: all formats, folders and archives.
void define_mask_files(nanobind::module_& module);

}  // namespace fiducial::python
