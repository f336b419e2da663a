#include "fiducial/export/prompt_lists.h"

namespace fiducial {

ExportTarget sat_target() {
  return prompt_list_target("sat", "lists of sentences and masks for SAT",
                            [](const ExportCall& call) { return export_prompt_lists("sat", call); });
}

}  // namespace fiducial
