#include "fiducial/server/case_source.h"

namespace fiducial {

#define FIDUCIAL_CASE_SOURCE(name) CaseSourceKind name##_case_source();
#include "fiducial/server/all_case_sources.def"
#undef FIDUCIAL_CASE_SOURCE

const std::vector<CaseSourceKind>& all_case_sources() {
  static const std::vector<CaseSourceKind> all = {
#define FIDUCIAL_CASE_SOURCE(name) name##_case_source(),
#include "fiducial/server/all_case_sources.def"
#undef FIDUCIAL_CASE_SOURCE
  };
  return all;
}

Result<MaskSet> CaseSource::reference_masks(std::size_t /*at*/) const {
  return Error(ErrorCode::unavailable, "this case has no masks");
}

Result<MaskSet> CaseSource::predicted_masks(std::size_t /*at*/, const RunMaterial& /*run*/) const {
  return Error(ErrorCode::unavailable, "runs of this dataset have no masks");
}

Outcome CaseSource::check_predicted(std::size_t /*at*/, const RunMaterial& /*run*/) const {
  return Error(ErrorCode::unavailable, "runs of this dataset have no masks");
}

Result<ServedPicture> CaseSource::picture(std::size_t /*at*/, std::size_t /*slot*/) const {
  return Error(ErrorCode::unavailable, "this case has no pictures");
}

}  // namespace fiducial
