#include "fiducial/datasets/dataset_adapter.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/store.h"

namespace fiducial {

namespace {

constexpr std::size_t most_neighbours = 200;  // folders in a folder that are looked at

const DatasetAdapter* adapter_of(const Path& folder) {
  if (!is_folder(folder)) return nullptr;
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    if (adapter.recognises(folder)) return &adapter;
  }
  return nullptr;
}

// Datasets in a folder, else the one that a folder or file is part of.
std::vector<std::string> datasets_near(const Path& path) {
  std::vector<std::string> out;
  const Result<std::vector<FolderEntry>> entries = entries_of(path);
  const std::size_t count = entries.ok() ? std::min(entries->size(), most_neighbours) : 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Path& entry = entries.value()[i].path;
    if (adapter_of(entry) != nullptr) out.push_back(entry.string());
  }
  std::error_code failure;
  const Path whole = is_url(path) ? path : std::filesystem::absolute(path, failure).lexically_normal();
  const Path above = (whole.has_filename() ? whole : whole.parent_path()).parent_path();
  if (out.empty() && adapter_of(above) != nullptr) out.push_back(above.string());
  return out;
}

}  // namespace

Result<const DatasetAdapter*> find_dataset_adapter(const Path& folder) {
  FIDUCIAL_TRY_DONE(check_reachable(folder));
  if (const DatasetAdapter* adapter = adapter_of(folder)) return adapter;
  const Place place{.path = folder.string()};
  if (!is_there(folder)) return path_missing("no such dataset folder", folder.string());
  const std::vector<std::string> near = datasets_near(folder);
  if (!near.empty())
    return Error(ErrorCode::invalid_data, "not a dataset folder; did you mean " + joined(near, " or ") + "?",
                 place);
  if (!is_folder(folder)) return Error(ErrorCode::invalid_data, "not a dataset folder, but a file", place);
  std::string layouts;
  for (const DatasetAdapter& adapter : all_dataset_adapters())
    layouts += "; " + adapter.id + " has " + adapter.layout;
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
    return bad_usage(folder.string() + ": " + adapter->id +
                     " has no reference masks, which this needs; check, stats, card and score take it");
  }
  FIDUCIAL_TRY(std::unique_ptr<GroundedDataset> dataset, adapter->open_grounded(folder));
  return OpenedGroundedDataset{adapter, std::move(dataset)};
}

}  // namespace fiducial
