#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/eval/folder/comparison.h"
#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/comparison_page.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/terminal/comparison_table.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct CompareOptions {
  std::vector<std::string> folders;
  std::string mode = "strict";
  std::string output;
  std::string report;
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
  request.unit_of = unit_of_plan;
  request.headline_of = headline_of_plan;
  for (const std::string& file : {options.output, options.report}) {
    if (!file.empty() && std::filesystem::exists(file) && !options.overwrite)
      return bad_usage(file + " exists; --overwrite replaces it");
  }
  FIDUCIAL_TRY(const Json comparison, compare_scores(request));
  if (!options.output.empty()) FIDUCIAL_TRY_DONE(write_file(options.output, comparison.pretty()));
  if (!options.report.empty()) {
    FIDUCIAL_TRY(const std::string page, comparison_page(request, comparison));
    FIDUCIAL_TRY_DONE(write_file(options.report, page));
  }
  if (options.json) {
    console.print(comparison.pretty());
  } else {
    console.show(comparison_table(comparison, console.width()));
  }
  return 0;
}

}  // namespace

Command compare_command() {
  return {
      .name = "compare",
      .summary = "Compare systems by their score folders: differences, intervals, p-values, ranks",
      .example = "fiducial compare scores/ours scores/baseline -o comparison.json",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<CompareOptions>();
        verb.add_option("SCORES", options->folders, "Two or more folders written by 'fiducial score'")
            ->required();
        verb.add_option("--mode", options->mode, "strict or official")
            ->suggests({"strict", "official"})
            ->capture_default_str();
        verb.add_option(
                "--metric", options->request.slot,
                "Value to rank and to split into groups by (default: dice_per_case, accuracy or grounded_f1)")
            ->suggests(titled_slots());
        verb.add_option("--seed", options->request.seed, "Seed of intervals and p-values")
            ->capture_default_str();
        verb.add_option("--resamples", options->request.resamples,
                        "Resamples of an interval, and most permutations of a p-value")
            ->check(Range(100, 10'000'000))
            ->capture_default_str();
        verb.add_option("-o,--output", options->output, "File to write the comparison to, as JSON");
        verb.add_option("--report", options->report,
                        "HTML page to write: the numbers, their paired tests, what differs most");
        verb.add_flag("--overwrite", options->overwrite, "Replace earlier output files");
        verb.add_flag("--json", options->json, "Print the comparison as JSON");
        return [options](Console& console) { return compare(*options, console); };
      }};
}

}  // namespace fiducial::cli
