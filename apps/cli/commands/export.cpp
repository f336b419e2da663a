#include <memory>
#include <string>

#include "fiducial/export/export_target.h"

#include "command.h"
#include "export_outputs.h"
#include "option_arguments.h"

namespace fiducial::cli {

namespace {

struct ExportOptions {
  std::string to = "submission";
  std::string dataset;
  std::string predictions;
  std::string output;
  std::string split;
  std::string volumes;
  UsageTerms terms;
  OptionArguments more;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

// Where a target takes what it reads from: DIR and PREDICTIONS.
Result<int> export_data(const ExportOptions& options, Console& console) {
  FIDUCIAL_TRY(const ExportTarget* target, find_export_target(options.to));
  ExportRequest request{.dataset = options.dataset,
                        .terms = options.terms,
                        .options = options.more.values(),
                        .output = options.output,
                        .overwrite = options.overwrite};
  if (!options.predictions.empty()) request.predictions = options.predictions;
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.split.empty()) request.split = options.split;
  FIDUCIAL_TRY(const ExportOutcome outcome, run_export(*target, request, Executor(options.threads), console));
  return say_exported(outcome, request.predictions.value_or(request.dataset), options.json, console);
}

std::vector<std::string> target_ids() {
  std::vector<std::string> out;
  for (const ExportTarget& target : all_export_targets()) out.push_back(target.id);
  return out;
}

std::string target_help() {
  std::string out = "What to write";
  for (const ExportTarget& target : all_export_targets())
    out += (&target == &all_export_targets().front() ? ": " : "; ") + target.id + ", " + target.title;
  return out;
}

void declare_terms(Verb verb, UsageTerms& terms) {
  const std::string heading = "Terms, of targets that write the dataset's own data";
  verb.add_option("--licence", terms.licence, "Licence of what is written, such as CC-BY-NC-SA-4.0")
      ->heading(heading);
  verb.add_option("--source", terms.source, "Where the data are from")->heading(heading);
  verb.add_option("--allowed-use", terms.allowed_use, "What they may be used for")->heading(heading);
}

void declare_targets(Verb verb, OptionArguments& more) {
  for (const ExportTarget& target : all_export_targets()) more.add(target.options, target.id);
  more.declare(verb);
}

}  // namespace

Command export_command() {
  return {.name = "export",
          .summary = "Write data, predictions or scores in the form that other programs take",
          .example = "fiducial export --to submission rexgroundingct/ predictions/ -o submission.zip",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ExportOptions>();
            verb.add_option("--to", options->to, target_help())->required()->one_of(target_ids());
            verb.add_option("DIR", options->dataset,
                            "Dataset folder in a published layout (fiducial info lists them)")
                ->required();
            verb.add_option("PREDICTIONS", options->predictions,
                            "Predictions as 'fiducial score' takes them: masks, answers or tables");
            verb.add_option("--volumes", options->volumes, "Folder of the CTs");
            verb.add_option("-o,--output", options->output, "File or folder to write")->required();
            verb.add_option("--split", options->split,
                            "Split to write, or that predictions are for (default: the one that scoring "
                            "takes; of a dataset all of them)");
            declare_terms(verb, options->terms);
            declare_targets(verb, options->more);
            verb.add_option("--threads", options->threads, "Threads (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            verb.add_flag("--overwrite", options->overwrite, "Replace an earlier output of the same kind");
            verb.add_flag("--json", options->json, "Print the manifest, or the report of a refusal, as JSON");
            return [options](Console& console) { return export_data(*options, console); };
          }};
}

}  // namespace fiducial::cli
