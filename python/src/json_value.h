#pragma once

#include <nanobind/nanobind.h>

#include "fiducial/base/json.h"

namespace fiducial::python {

// The value as Python's json module would load it.
nanobind::any to_python(const Json& value);

}  // namespace fiducial::python
