#include "fiducial/datasets/check_dataset.h"

#include "fiducial/datasets/case_checks.h"
#include "fiducial/datasets/curated_check.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/default_lint.h"

namespace fiducial {

Result<LintReport> check_dataset(const LintRequest& request, const Executor& executor, Progress& progress) {
  const Result<const DatasetAdapter*> found = find_lint_adapter(request.dataset);
  if (!found.ok() && is_curated_folder(request.dataset)) {
    FIDUCIAL_TRY_DONE(refuse_other_inputs(request, "curated", {}));
    if (request.checks != nullptr && request.checks->lists()) return LintReport{.benchmark = "curated"};
    return check_curated(request, progress);
  }
  FIDUCIAL_TRY(const DatasetAdapter* adapter, found);
  const bool has_rules = adapter->lint != nullptr;
  FIDUCIAL_TRY_DONE(refuse_other_inputs(request, adapter->id,
                                        has_rules ? adapter->lint_inputs : default_lint_inputs(*adapter)));
  if (has_rules) return adapter->lint(request, executor, progress);
  return default_lint(*adapter, request, executor, progress);
}

}  // namespace fiducial
