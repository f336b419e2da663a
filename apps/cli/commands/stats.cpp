#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/diagnostic_statistics.h"
#include "fiducial/datasets/radgenome/statistics.h"
#include "fiducial/datasets/rexgroundingct/statistics.h"
#include "fiducial/report/text_table.h"

#include "case_statistics_text.h"
#include "command.h"
#include "statistics_text.h"

namespace fiducial::cli {

namespace {

using rexgroundingct::Dataset;
using rexgroundingct::DatasetStatistics;

struct StatsOptions {
  std::string dataset;
  std::string plots;
  bool masks = false;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

Outcome write_drawings(const std::vector<Drawing>& drawings, const StatsOptions& options) {
  if (options.plots.empty()) return done();
  FIDUCIAL_TRY(StagedFolder folder,
               StagedFolder::create(options.plots, drawings.front().file, options.overwrite));
  for (const Drawing& drawing : drawings) {
    FIDUCIAL_TRY_DONE(write_file(folder.staging() / drawing.file, drawing.svg));
  }
  return folder.publish();
}

Result<int> describe_cases(const DatasetAdapter& adapter, const StatsOptions& options, Console& console) {
  if (options.masks) return bad_usage(options.dataset + ": --masks is for datasets with masks");
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosticDataset> dataset, adapter.open_questions(options.dataset));
  FIDUCIAL_TRY(const DatasetDescription description, describe(adapter.id, *dataset));
  FIDUCIAL_TRY_DONE(write_drawings(case_statistics_drawings(description), options));
  console.print(options.json ? description.json().pretty() : case_statistics_text(description));
  return 0;
}

Result<int> describe_tables(const StatsOptions& options, Console& console) {
  if (options.masks || !options.plots.empty()) {
    return bad_usage(options.dataset + ": tables have neither --masks nor --plots");
  }
  FIDUCIAL_TRY(const radgenome::TableFolder folder, radgenome::TableFolder::open(options.dataset));
  FIDUCIAL_TRY(const auto tables, radgenome::table_statistics(folder));
  console.print(options.json ? radgenome::statistics_json(tables).pretty()
                             : radgenome::statistics_text(tables));
  return 0;
}

Result<int> stats(const StatsOptions& options, Console& console) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(options.dataset));
  if (adapter->open_questions != nullptr) return describe_cases(*adapter, options, console);
  if (adapter->open_tables != nullptr) return describe_tables(options, console);
  FIDUCIAL_TRY(const Dataset dataset, Dataset::open(options.dataset));
  DatasetStatistics statistics;
  if (options.masks) {
    FIDUCIAL_TRY(statistics, statistics_of_masks(dataset, Executor(options.threads), console));
  } else {
    statistics = rexgroundingct::statistics_of(dataset.content().splits);
  }
  FIDUCIAL_TRY_DONE(write_drawings(statistics_drawings(statistics), options));
  if (options.json) {
    console.print(statistics_json(statistics, dataset, options.masks ? "masks" : "dataset").pretty());
    return 0;
  }
  for (const Note& note : statistics.notes) console.note(note.text);
  console.print(statistics_text(statistics));
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
            verb.add_option("--threads", options->threads, "Threads (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            verb.add_flag("--overwrite", options->overwrite, "Replace an existing folder of drawings");
            verb.add_flag("--json", options->json, "Print as JSON");
            return [options](Console& console) { return stats(*options, console); };
          }};
}

}  // namespace fiducial::cli
