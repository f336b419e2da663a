#pragma once

#include <optional>
#include <string>

#include "fiducial/datasets/lint_finding.h"
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
  std::optional<ChannelShape> shape;
  LintFindings findings;
};

MaskLint lint_mask(const MaskToLint& mask);

}  // namespace fiducial::rexgroundingct
