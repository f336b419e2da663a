#pragma once

#include <nanobind/nanobind.h>

namespace fiducial::python {

// Scores of texts, and agreement of raters.
void define_texts(nanobind::module_& module);

}  // namespace fiducial::python
