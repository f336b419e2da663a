#include "fiducial/datasets/diagnostic_dataset.h"

#include <algorithm>

namespace fiducial {

Result<std::string> choose_split(const DiagnosticDataset& dataset, const std::optional<std::string>& wanted) {
  const std::vector<std::string> names = dataset.split_names();
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  const std::string split = wanted.value_or("test");
  if (std::find(names.begin(), names.end(), split) != names.end()) return split;
  if (!wanted && names.size() == 1) return names.front();
  return bad_usage(dataset.folder().string() + ": no split \"" + split + "\"; there is " + list);
}

}  // namespace fiducial
