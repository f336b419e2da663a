#include "fiducial/datasets/dataset_adapter.h"

#include <system_error>

namespace fiducial {

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
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    if (adapter.recognises_file != nullptr && adapter.recognises_file(path)) return &adapter;
  }
  return find_dataset_adapter(path);
}

Result<OpenedGroundedDataset> open_grounded_dataset(const Path& folder) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(folder));
  if (adapter->open_grounded == nullptr) {
    return bad_usage(folder.string() + ": " + adapter->id + " has no reference masks, which this needs");
  }
  FIDUCIAL_TRY(std::unique_ptr<GroundedDataset> dataset, adapter->open_grounded(folder));
  return OpenedGroundedDataset{adapter, std::move(dataset)};
}

}  // namespace fiducial
