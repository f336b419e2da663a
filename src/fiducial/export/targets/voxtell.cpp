#include "fiducial/export/prompt_lists.h"

namespace fiducial {

ExportTarget voxtell_target() {
  return prompt_list_target("voxtell", "lists of sentences and masks for VoxTell",
                            [](const ExportCall& call) { return export_prompt_lists("voxtell", call); });
}

}  // namespace fiducial
