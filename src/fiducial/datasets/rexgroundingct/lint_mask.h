#pragma once

#include <optional>
#include <string>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/rexgroundingct/lint_document.h"
#include "fiducial/image/label_decoder.h"

namespace fiducial::rexgroundingct {

// The mask of a case, and where its facts stand in the dataset file.
struct MaskToLint {
  Path folder;
  std::string dataset_file;
  std::string split;
  const LintedEntry* entry = nullptr;
};

// What is known about a mask once it has been read; nothing where it could not be.
struct MaskLint {
  std::string file;  // relative to the dataset's folder
  std::optional<ChannelShape> shape;
  std::optional<Affine> claimed;  // where the header says the voxels lie, unless it says nothing
  std::vector<LabelMap> channels;
  LintProblems problems;
};

MaskLint lint_mask(const MaskToLint& mask);

}  // namespace fiducial::rexgroundingct
