#include <memory>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/tasks/finding_masks/conformance.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct ConformOptions {
  std::string script;
  std::string dataset;
  std::string predictions;
  std::string split;
  std::string output;
  ConformRequest request;
  int threads = 0;
  bool overwrite = false;
  bool json = false;
};

ConformRequest request_of(const ConformOptions& options) {
  ConformRequest request = options.request;
  request.script = options.script;
  if (!options.dataset.empty()) request.dataset = options.dataset;
  if (!options.predictions.empty()) request.predictions = options.predictions;
  if (!options.split.empty()) request.split = options.split;
  return request;
}

std::string report_text(const Conformance& found) {
  std::string out;
  std::int64_t cases = 0;
  std::int64_t values = 0;
  for (const ConformanceRun& run : found.runs) {
    cases += run.comparison.cases;
    values += run.comparison.values;
    const std::string where = run.data + (run.options.empty() ? "" : " " + run.options);
    for (const ScorerDifference& difference : run.comparison.differences) {
      out += where + ": " + difference.text() + "\n";
    }
  }
  return out + found.script_name + " " + found.script_sha256 + "\n" + decimal(found.runs.size()) + " runs, " +
         decimal(cases) + " cases, " + decimal(values) + " values compared, " +
         decimal(found.difference_count()) + " differences\n";
}

Result<int> conform_verb(const ConformOptions& options, Console& console) {
  if (!options.output.empty() && std::filesystem::exists(options.output) && !options.overwrite) {
    return bad_usage(options.output + " exists; --overwrite replaces it");
  }
  FIDUCIAL_TRY(const Conformance found, conform(request_of(options), Executor(options.threads), console));
  const std::string record = found.json().pretty();
  if (!options.output.empty()) FIDUCIAL_TRY_DONE(write_file(options.output, record));
  console.print(options.json ? record : report_text(found));
  return found.difference_count() == 0 ? 0 : exit_status(ErrorCode::integrity);
}

}  // namespace

Command conform_command() {
  return {.name = "conform",
          .summary = "Compare the official mode with your own copy of the published scorer",
          .example = "fiducial conform --scorer rexrank_eval.py -o record.json",
          .define = [](Verb verb) -> CommandBody {
            auto options = std::make_shared<ConformOptions>();
            verb.add_option("--scorer", options->script, "The published scorer's script, rexrank_eval.py")
                ->required();
            verb.add_option("DIR", options->dataset, "Dataset folder to compare on, beside seeded cases");
            verb.add_option("PREDICTIONS", options->predictions, "Folder of <case>.nii.gz for DIR");
            verb.add_option("--split", options->split, "Split of DIR (default: test, else val)");
            verb.add_option("--python", options->request.python, "Python that runs the script")
                ->capture_default_str();
            verb.add_option("--seeds", options->request.seeds, "Seeded adversarial datasets to compare on")
                ->check(Range(0, 10000))
                ->capture_default_str();
            verb.add_option("--timeout", options->request.timeout_s,
                            "Seconds that one run of the script may take")
                ->check(Range(1, 1'000'000))
                ->capture_default_str();
            verb.add_option("--threads", options->threads, "Threads of our own scoring (0: one per core)")
                ->check(Range(0, 1024))
                ->capture_default_str();
            verb.add_option("-o,--output", options->output, "File to write the record to, as JSON");
            verb.add_flag("--overwrite", options->overwrite, "Replace an earlier record");
            verb.add_flag("--json", options->json, "Print the record as JSON");
            return [options](Console& console) { return conform_verb(*options, console); };
          }};
}

}  // namespace fiducial::cli
