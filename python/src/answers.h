#pragma once

#include <nanobind/nanobind.h>

namespace fiducial::python {

// Scores of answers to questions, of texts, and agreement of raters.
void define_answers(nanobind::module_& module);

}  // namespace fiducial::python
