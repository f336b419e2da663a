#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/eval/folder/comparison.h"
#include "fiducial/terminal/comparison_table.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct CompareOptions {
  std::vector<std::string> folders;
  std::string mode = "strict";
  std::string output;
  CompareRequest request;
  bool overwrite = false;
  bool json = false;
};

Result<int> compare(const CompareOptions& options, Console& console) {
  CompareRequest request = options.request;
  request.folders.assign(options.folders.begin(), options.folders.end());
  if (options.mode != "strict" && options.mode != "official") {
    return bad_usage("mode \"" + options.mode + "\"; expected strict or official");
  }
  request.scorer = options.mode == "strict" ? Scorer::strict : Scorer::official;
  if (!options.output.empty() && std::filesystem::exists(options.output) && !options.overwrite) {
    return bad_usage(options.output + " exists; --overwrite replaces it");
  }
  FIDUCIAL_TRY(const Json comparison, compare_scores(request));
  if (!options.output.empty()) FIDUCIAL_TRY_DONE(write_file(options.output, comparison.pretty()));
  console.print(options.json ? comparison.pretty() : comparison_table(comparison));
  return 0;
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .summary = "Compare systems by their score folders: differences, intervals, p-values, ranks",
          .example = "fiducial compare scores/ours scores/baseline -o comparison.json",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<CompareOptions>();
            verb.add_option("SCORES", options->folders, "Two or more folders written by 'fiducial score'")
                ->required();
            verb.add_option("--mode", options->mode, "strict or official")->capture_default_str();
            verb.add_option(
                "--metric", options->request.slot,
                "Value to rank and to split into groups by (default: dice_per_case; for questions accuracy)");
            verb.add_option("--seed", options->request.seed, "Seed of intervals and p-values")
                ->capture_default_str();
            verb.add_option("--resamples", options->request.resamples,
                            "Resamples of an interval, and most permutations of a p-value")
                ->check(Range(100, 10'000'000))
                ->capture_default_str();
            verb.add_option("-o,--output", options->output, "File to write the comparison to, as JSON");
            verb.add_flag("--overwrite", options->overwrite, "Replace an earlier output file");
            verb.add_flag("--json", options->json, "Print the comparison as JSON");
            return [options](Console& console) { return compare(*options, console); };
          }};
}

}  // namespace fiducial::cli
