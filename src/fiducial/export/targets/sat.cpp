#include "fiducial/export/export_target.h"
#include "fiducial/export/prompt_lists.h"

namespace fiducial {

ExportTarget sat_target() {
  return {.id = "sat",
          .title = "lists of sentences and masks for SAT",
          .volumes = ExportTarget::Need::required,
          .run = [](const ExportCall& call) { return export_prompt_lists("sat", call); }};
}

}  // namespace fiducial
