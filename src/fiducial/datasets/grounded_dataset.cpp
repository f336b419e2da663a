#include "fiducial/datasets/grounded_dataset.h"

#include "fiducial/datasets/split_choice.h"

namespace fiducial {

Result<std::string> choose_split(const GroundedDataset& dataset, const std::optional<std::string>& wanted) {
  return chosen_split({.place = (dataset.folder() / dataset.file_name()).string(),
                       .names = dataset.split_names(),
                       .usual = {"test", "val", "validation"}},
                      wanted);
}

}  // namespace fiducial
