#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/export/export_target.h"
#include "fiducial/table/feature_file.h"

namespace fiducial {

// A split as it lies in an export for Hugging Face.
struct HubSplit {
  std::string name;
  std::vector<std::string> files;  // relative to the export
  std::int64_t rows = 0;
};

// Splits of one set of columns: what datasets calls a configuration.
struct HubConfig {
  std::string name;
  std::vector<Feature> features;
  std::vector<HubSplit> splits;
};

// What was written, and what was not.
struct HubContent {
  std::vector<HubConfig> configs;
  std::vector<std::string> left_out;  // a sentence each
  std::int64_t masks = 0;
  std::int64_t volumes = 0;
  std::int64_t images = 0;
};

// The splits of a dataset that an export takes: the asked one, or all that are not private. Refuses a private
// split that was asked for, and names that Hugging Face refuses or that differ in case alone.
Result<std::vector<std::string>> splits_to_export(const ExportCall& call,
                                                  const std::vector<std::string>& names, HubContent& content);

// Adds a split to its configuration. One without a row cannot be loaded there, and is left out.
void add_split(HubSplit split, HubConfig& config, HubContent& content);

// A file that is to be embedded, whole. Refuses a folder, which a series of DICOM is.
Result<RowFile> row_file(const Path& path, const std::string& name);

// Each writes data/ below the folder.
Result<HubContent> write_grounded_hub(const ExportCall& call, const GroundedDataset& dataset,
                                      const Path& folder);
Result<HubContent> write_question_hub(const ExportCall& call, const DiagnosisDataset& dataset,
                                      const Path& folder);
Result<HubContent> write_table_hub(const ExportCall& call, const radgenome::TableFolder& tables,
                                   const Path& folder);

}  // namespace fiducial
