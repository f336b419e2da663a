#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/datasets/describe_dataset.h"
#include "fiducial/drawing/description_drawings.h"
#include "fiducial/terminal/description_text.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct StatsOptions {
  std::string dataset;
  std::string plots;
  std::string volumes;
  bool masks = false;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

Outcome write_drawings(const DatasetDescription& description, const StatsOptions& options) {
  if (options.plots.empty()) return done();
  const std::vector<Drawing> drawings = description_drawings(description);
  if (drawings.empty()) return bad_usage(options.dataset + ": --plots: there is nothing to draw");
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(options.plots, drawings.front().file, options.overwrite));
  for (const Drawing& drawing : drawings) {
    FIDUCIAL_TRY_DONE(write_file(folder.staging() / drawing.file, drawing.svg));
  }
  return folder.publish();
}

Result<int> stats(const StatsOptions& options, Console& console) {
  DescribeRequest request{.dataset = options.dataset, .masks = options.masks};
  if (!options.volumes.empty()) request.volumes = options.volumes;
  FIDUCIAL_TRY(const DatasetDescription description,
               describe_dataset(request, Executor(options.threads), console));
  FIDUCIAL_TRY_DONE(write_drawings(description, options));
  if (options.json) {
    console.print(description.json.pretty());
    return 0;
  }
  for (const Note& note : description.notes) console.note(note.text);
  console.show(description_text(description, console.width()));
  return 0;
}

}  // namespace

Command stats_command() {
  return {.name = "stats",
          .summary =
              "Count what is in a dataset: scans or cases, findings or images, categories, sizes, patients",
          .example = "fiducial stats rexgroundingct/ --plots drawings/",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<StatsOptions>();
            verb.add_option("DIR", options->dataset,
                            "Dataset folder in a published layout (fiducial info lists them)")
                ->required();
            verb.add_option("--plots", options->plots, "Write drawings (SVG) to this folder");
            verb.add_flag("--masks", options->masks,
                          "Count entities, voxels and components in the masks, not in dataset.json");
            verb.add_option("--volumes", options->volumes,
                            "CTs: measure findings in ml, mm and HU too (implies --masks)");
            verb.add_option("--threads", options->threads, "Threads (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            verb.add_flag("--overwrite", options->overwrite, "Replace an existing folder of drawings");
            verb.add_flag("--json", options->json, "Print as JSON");
            return [options](Console& console) { return stats(*options, console); };
          }};
}

}  // namespace fiducial::cli
