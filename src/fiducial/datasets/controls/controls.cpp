#include "fiducial/base/paths.h"
#include "fiducial/datasets/controls/control_prompts.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"

namespace fiducial {

DatasetAdapter controls_adapter() {
  return {.id = "controls",
          .title = "Control prompts: what a model makes of words that ask for nothing, or for the same again",
          .layout = "dataset.json, segmentations/ and controls.jsonl",
          .recognises =
              [](const Path& folder) {
                return rexgroundingct::find_dataset_file(folder) && is_file(folder / controls_file);
              },
          .tasks = {"controls"},
          .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
            FIDUCIAL_TRY(rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(folder));
            return {std::make_unique<rexgroundingct::Dataset>(std::move(dataset))};
          }};
}

}  // namespace fiducial
