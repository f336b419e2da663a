#pragma once

#include <optional>
#include <string>

#include "fiducial/datasets/dataset_description.h"
#include "fiducial/datasets/grounded_statistics.h"

namespace fiducial {

// Cases with masks to describe.
struct GroundedToDescribe {
  std::string benchmark;
  const GroundedDataset& dataset;
  bool masks = false;           // count in the masks
  std::optional<Path> volumes;  // and measure in the CTs
  CategoryTitles ontology;      // counted also where no finding has them
  std::string ontology_note;    // said below the drawing of categories
  std::string entities_note;    // said below the drawing of entities
};

// Scans, patients, findings, entities, categories and sizes by split.
Result<DatasetDescription> describe_grounded(const GroundedToDescribe& described, const Executor& executor,
                                             Progress& progress);

}  // namespace fiducial
