#pragma once

#include <memory>
#include <string>

#include <nanobind/nanobind.h>

#include "fiducial/datasets/grounded_dataset.h"

namespace fiducial::python {

// An opened dataset with the name of its benchmark. Work that outlives a call holds the dataset itself.
struct OpenDataset {
  std::shared_ptr<const GroundedDataset> dataset;
  std::string benchmark;
};

void define_datasets(nanobind::module_& module);

}  // namespace fiducial::python
