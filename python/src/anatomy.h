#pragma once

#include <nanobind/nanobind.h>

namespace fiducial::python {

void define_anatomy(nanobind::module_& module);

}  // namespace fiducial::python
