#include "fiducial/export/export_target.h"

namespace fiducial {

#define FIDUCIAL_EXPORT_TARGET(name) ExportTarget name##_target();
#include "fiducial/export/all_targets.def"
#undef FIDUCIAL_EXPORT_TARGET

const std::vector<ExportTarget>& all_export_targets() {
  static const std::vector<ExportTarget> all = {
#define FIDUCIAL_EXPORT_TARGET(name) name##_target(),
#include "fiducial/export/all_targets.def"
#undef FIDUCIAL_EXPORT_TARGET
  };
  return all;
}

}  // namespace fiducial
