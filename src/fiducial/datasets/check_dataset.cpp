#include "fiducial/datasets/check_dataset.h"

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/default_lint.h"

namespace fiducial {

Result<LintReport> check_dataset(const LintRequest& request, const Executor& executor, Progress& progress) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_lint_adapter(request.dataset));
  const bool has_rules = adapter->lint != nullptr;
  FIDUCIAL_TRY_DONE(refuse_other_inputs(request, adapter->id,
                                        has_rules ? adapter->lint_inputs : default_lint_inputs(*adapter)));
  if (has_rules) return adapter->lint(request, executor, progress);
  return default_lint(*adapter, request, executor, progress);
}

}  // namespace fiducial
