#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "fiducial/eval/score.h"
#include "fiducial/eval/shard_folder.h"
#include "fiducial/report/scorecard.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct MergeOptions {
  std::vector<std::string> shards;
  std::string output;
  bool overwrite = false;
  bool json = false;
};

Result<int> merge(const MergeOptions& options, Console& console) {
  const std::vector<Path> folders(options.shards.begin(), options.shards.end());
  FIDUCIAL_TRY(const ScoredRun run, merge_shards(folders));
  FIDUCIAL_TRY(const Json summary, write_scores(run, options.output, options.overwrite));
  console.print(options.json ? summary.pretty() : scorecard(summary));
  return 0;
}

}  // namespace

Command merge_command() {
  return {.name = "merge",
          .summary = "Put the shards of one run together",
          .example = "fiducial merge -o scores/ shard_0/ shard_1/ shard_2/",
          .define = [](CLI::App& verb) -> CommandBody {
            auto options = std::make_shared<MergeOptions>();
            verb.add_option("SHARD", options->shards, "Folders written by score --shard, in any order")
                ->required();
            verb.add_option("-o,--output", options->output, "Folder to write the scores to")->required();
            verb.add_flag("--overwrite", options->overwrite, "Replace an earlier output folder");
            verb.add_flag("--json", options->json, "Print the summary as JSON");
            return [options](Console& console) { return merge(*options, console); };
          }};
}

}  // namespace fiducial::cli
