#pragma once

#include <nanobind/nanobind.h>

namespace fiducial::python {

void define_curation(nanobind::module_& module);

}  // namespace fiducial::python
