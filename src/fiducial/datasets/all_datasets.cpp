#include "fiducial/datasets/dataset_adapter.h"

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

}  // namespace fiducial
