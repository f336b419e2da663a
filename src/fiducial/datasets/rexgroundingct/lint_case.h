#pragma once

#include <optional>
#include <string>

#include "fiducial/datasets/case_checks.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/rexgroundingct/lint_document.h"
#include "fiducial/datasets/volume_metadata.h"

namespace fiducial::rexgroundingct {

// Where the files of a case are looked for.
struct CaseSources {
  Path dataset;
  std::string dataset_file;  // relative to dataset
  std::optional<Path> volumes;
  const VolumeMetadata* metadata = nullptr;      // of the volumes, where there is some
  const PredictionFiles* predictions = nullptr;  // only where the case's split was handed in
};

// Checks mask, volume and prediction of one case, in this order. Holds mask and prediction as runs, and one
// slice of the volume.
CheckedFiles lint_case(const CaseSources& sources, const std::string& split, const LintedEntry& entry);

}  // namespace fiducial::rexgroundingct
