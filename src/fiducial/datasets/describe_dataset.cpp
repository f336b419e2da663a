#include "fiducial/datasets/describe_dataset.h"

#include "fiducial/datasets/case_description.h"
#include "fiducial/datasets/grounded_description.h"
#include "fiducial/datasets/radgenome/description.h"

namespace fiducial {

namespace {

Result<DatasetDescription> default_description(const DatasetAdapter& adapter, const DescribeRequest& request,
                                               const Executor& executor, Progress& progress) {
  if (adapter.open_grounded != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<GroundedDataset> dataset, adapter.open_grounded(request.dataset));
    return describe_grounded(
        {.benchmark = adapter.id, .dataset = *dataset, .masks = request.masks, .volumes = request.volumes},
        executor, progress);
  }
  if (request.volumes) return bad_usage(request.dataset.string() + ": --volumes is for datasets with masks");
  if (request.masks) return bad_usage(request.dataset.string() + ": --masks is for datasets with masks");
  if (adapter.open_questions != nullptr) {
    FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset, adapter.open_questions(request.dataset));
    return describe_cases(adapter.id, *dataset);
  }
  if (adapter.open_tables != nullptr) {
    FIDUCIAL_TRY(const radgenome::TableFolder folder, adapter.open_tables(request.dataset));
    return radgenome::describe_tables(adapter.id, folder);
  }
  return Error(ErrorCode::unavailable, adapter.id + ": nothing can be read of this layout");
}

}  // namespace

Result<DatasetDescription> describe_dataset(const DescribeRequest& request, const Executor& executor,
                                            Progress& progress) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(request.dataset));
  if (adapter->describe != nullptr) return adapter->describe(request, executor, progress);
  return default_description(*adapter, request, executor, progress);
}

}  // namespace fiducial
