#include "fiducial/datasets/grounded_dataset.h"

namespace fiducial {

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
