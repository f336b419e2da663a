#pragma once

#include <nanobind/nanobind.h>

namespace fiducial::python {

// What models are given of a CT: clipped, standardised, resized, in windows.
void define_preprocess(nanobind::module_& module);

}  // namespace fiducial::python
