#include "fiducial/datasets/diagnosis_dataset.h"

#include "fiducial/datasets/split_choice.h"

namespace fiducial {

Result<std::string> choose_split(const DiagnosisDataset& dataset, const std::optional<std::string>& wanted) {
  return chosen_split({.place = dataset.folder().string(),
                       .names = dataset.split_names(),
                       .usual = {"test"},
                       .otherwise = SplitChoice::Otherwise::the_only_one},
                      wanted);
}

}  // namespace fiducial
