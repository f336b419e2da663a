#include "fiducial/datasets/grounded_dataset.h"

#include <algorithm>
#include <system_error>

#include "fiducial/datasets/radgenome/lint.h"

namespace fiducial {

#define FIDUCIAL_DATASET(name) DatasetAdapter name##_adapter();
#include "fiducial/datasets/all_datasets.def"
#undef FIDUCIAL_DATASET

const std::vector<DatasetAdapter>& all_dataset_adapters() {
  static const std::vector<DatasetAdapter> all = {
#define FIDUCIAL_DATASET(name) name##_adapter(),
#include "fiducial/datasets/all_datasets.def"
#undef FIDUCIAL_DATASET
  };
  return all;
}

Result<const DatasetAdapter*> find_dataset_adapter(const Path& folder) {
  std::error_code ignored;
  const Place place{.path = folder.string()};
  if (!std::filesystem::is_directory(folder, ignored)) {
    return Error(ErrorCode::invalid_data, "no such dataset folder", place);
  }
  std::string layouts;
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    if (adapter.recognises(folder)) return &adapter;
    layouts += "; " + adapter.id + " has " + adapter.layout;
  }
  return Error(ErrorCode::invalid_data, "not a dataset folder we know" + layouts, place);
}

Result<const DatasetAdapter*> find_lint_adapter(const Path& path) {
  if (!radgenome::is_table_file(path)) return find_dataset_adapter(path);
  const auto& all = all_dataset_adapters();
  return &*std::find_if(all.begin(), all.end(), [](const DatasetAdapter& each) { return each.has_tables; });
}

Result<OpenedGroundedDataset> open_grounded_dataset(const Path& folder) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
  if (adapter->open == nullptr) {
    return bad_usage(folder.string() + ": " + adapter->id + " has no reference masks, which this needs");
  }
  FIDUCIAL_TRY(std::unique_ptr<GroundedDataset> dataset, adapter->open(folder));
  return OpenedGroundedDataset{adapter, std::move(dataset)};
}

Result<std::string> choose_split(const GroundedDataset& dataset, const std::optional<std::string>& wanted) {
  std::string names;
  for (const std::string& name : dataset.split_names()) names += (names.empty() ? "" : ", ") + name;
  const std::string file = (dataset.folder() / dataset.file_name()).string();
  if (wanted) {
    if (dataset.find_split(*wanted) != nullptr) return *wanted;
    return bad_usage(file + ": no split \"" + *wanted + "\"; there is " + names);
  }
  for (const char* name : {"test", "val", "validation"}) {
    if (dataset.find_split(name) != nullptr) return std::string(name);
  }
  return bad_usage(file + ": no split \"test\"; choose one with --split: " + names);
}

}  // namespace fiducial
