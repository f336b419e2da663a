#include <memory>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/base/number_text.h"
#include "fiducial/export/prompt_lists.h"
#include "fiducial/export/submission_package.h"

#include "command.h"
#include "export_outputs.h"

namespace fiducial::cli {

namespace {

struct ExportOptions {
  std::string format = "submission";
  std::string dataset;
  std::string predictions;
  std::string output;
  std::string split;
  std::string volumes;
  std::string weights;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

Result<int> export_lists(const ExportOptions& options, Console& console) {
  if (options.volumes.empty()) return bad_usage("--to " + options.format + " needs --volumes, the CTs");
  if (!options.predictions.empty()) return bad_usage("--to " + options.format + " takes no predictions");
  PromptListRequest request{
      .to = options.format, .dataset = options.dataset, .volumes = options.volumes, .output = options.output};
  if (!options.split.empty()) request.split = options.split;
  if (!options.weights.empty()) request.weights = options.weights;
  FIDUCIAL_TRY(const PromptListCounts counts, write_prompt_lists(request));
  if (options.json) {
    console.print(Json::object({{"cases", counts.cases}, {"findings", counts.findings}}).pretty());
  } else {
    console.print(options.output + ": " + decimal(counts.findings) + " findings of " + decimal(counts.cases) +
                  " cases\n");
  }
  return 0;
}

Result<int> export_submission(const ExportOptions& options, Console& console) {
  SubmissionRequest request{.dataset = options.dataset,
                            .predictions = options.predictions,
                            .output = options.output,
                            .overwrite = options.overwrite};
  if (options.predictions.empty()) return bad_usage("PREDICTIONS is required");
  if (!options.weights.empty()) return bad_usage("--weights is for lists: --to voxtell or --to sat");
  if (!options.split.empty()) request.split = options.split;
  FIDUCIAL_TRY(const PackedSubmission packed, pack_submission(request, Executor(options.threads), console));
  return say_packed(packed, request, options.json, console);
}

}  // namespace

Command export_command() {
  return {.name = "export",
          .summary = "Pack a submission: check predictions and write the file that a benchmark takes",
          .example = "fiducial export --to submission rexgroundingct/ predictions/ -o submission.zip",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ExportOptions>();
            verb.add_option("--to", options->format,
                            "What to write: submission, or lists for a segmenter: voxtell, sat")
                ->required()
                ->one_of({"submission", "voxtell", "sat"});
            verb.add_option("DIR", options->dataset,
                            "Dataset folder in a published layout (fiducial info lists them)")
                ->required();
            verb.add_option("PREDICTIONS", options->predictions,
                            "Predictions as 'fiducial score' takes them: masks, answers or tables");
            verb.add_option("--volumes", options->volumes, "Of lists: the CTs");
            verb.add_option("--weights", options->weights,
                            "Of lists: weights of sentences (sentence_weights.csv of curate training)");
            verb.add_option(
                    "-o,--output", options->output,
                    "File to write, a zip or for answers JSONL; OUT.manifest.json is written beside it. Of "
                    "lists a folder")
                ->required();
            verb.add_option("--split", options->split,
                            "Split the predictions are for (default: the one that scoring takes)");
            verb.add_option("--threads", options->threads, "Threads (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            verb.add_flag("--overwrite", options->overwrite, "Replace an existing archive and its manifest");
            verb.add_flag("--json", options->json, "Print the manifest, or the report of a refusal, as JSON");
            return [options](Console& console) {
              return options->format == "submission" ? export_submission(*options, console)
                                                     : export_lists(*options, console);
            };
          }};
}

}  // namespace fiducial::cli
