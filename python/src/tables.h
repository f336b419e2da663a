#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include "fiducial/table/table.h"

namespace fiducial::python {

// Rows that other libraries take by Arrow's C stream interface.
struct SharedTable {
  std::shared_ptr<const Table> table;
};

void define_tables(nanobind::module_& module);

}  // namespace fiducial::python
