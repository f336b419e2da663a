#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

// How often something was said rightly: of one label, over volumes.
struct LabelAgreement {
  std::string label;
  std::int64_t said_and_labelled = 0;
  std::int64_t said = 0;
  std::int64_t labelled = 0;

  Json json() const;  // counts, precision and recall; null where they have no value
};

// The positive findings of a split held against the labels of its volumes.
struct SplitAgreement {
  std::int64_t volumes = 0;                 // of the split that have labels
  std::vector<LabelAgreement> abnormality;  // positive findings of any place, read by the label rules
  std::vector<LabelAgreement> disorders;

  Json json() const;
};

// The labels that the lists of a table raise, by volume, one flag a label; every atom is a text of its own.
std::map<std::uint32_t, std::vector<bool>> raised_labels(const Split& split, const PooledTable& table);

// Labels as CT-RATE publishes them: VolumeName (with or without .nii.gz) and a column of 0 or 1 for each of
// the eighteen labels. A volume that occurs twice is refused.
Result<SplitAgreement> agreement_with_labels(const Split& split, const Path& labels);

}  // namespace fiducial::radgenome
