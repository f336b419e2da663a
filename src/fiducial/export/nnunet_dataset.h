#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/datasets/grounded_dataset.h"
#include "fiducial/export/export_target.h"

namespace fiducial {

// Findings that become one dataset of nnU-Net: findings overlap, its labels must not.
struct NnunetGroup {
  std::int64_t number = 0;  // of Dataset501_findings
  std::string name;
  std::string category;  // whose findings alone; "" for all
  std::string title;     // for people
};

struct NnunetCounts {
  std::int64_t training = 0;
  std::int64_t test = 0;   // CTs whose references stay here
  std::int64_t empty = 0;  // labels without a voxel
};

// The cases of an export, as they go into every group.
struct NnunetCases {
  struct Case {
    std::string stem;
    const GroundedCase* entry = nullptr;
    Path volume;
    std::string split;
  };
  std::vector<Case> training;
  std::vector<Case> test;
};

// Finds the CTs, and refuses names that nnU-Net would confuse.
Result<NnunetCases> nnunet_cases(const ExportCall& call, const GroundedDataset& dataset,
                                 std::vector<std::string>& left_out);

// Writes DatasetNNN_name/ with imagesTr, labelsTr, imagesTs, dataset.json and splits_final.json for every
// group: a case is read once. CTs of several groups are the same file by hard links where the disk has them.
Result<std::vector<NnunetCounts>> write_nnunet_datasets(const ExportCall& call,
                                                        const GroundedDataset& dataset,
                                                        const NnunetCases& cases,
                                                        const std::vector<NnunetGroup>& groups,
                                                        const Path& folder);

std::string nnunet_folder(const NnunetGroup& group);

}  // namespace fiducial
