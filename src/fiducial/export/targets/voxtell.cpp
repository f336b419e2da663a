#include "fiducial/export/export_target.h"
#include "fiducial/export/prompt_lists.h"

namespace fiducial {

ExportTarget voxtell_target() {
  return {.id = "voxtell",
          .title = "lists of sentences and masks for VoxTell",
          .volumes = ExportTarget::Need::required,
          .run = [](const ExportCall& call) { return export_prompt_lists("voxtell", call); }};
}

}  // namespace fiducial
