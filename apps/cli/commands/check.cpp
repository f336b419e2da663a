#include <memory>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/datasets/check_dataset.h"

#include "command.h"

namespace fiducial::cli {

namespace {

struct CheckOptions {
  std::string dataset;
  std::string predictions;
  std::string volumes;
  std::string metadata;
  std::string split;
  std::string synonyms;
  std::string labels;
  std::string view;
  std::string question_column;
  std::string answer_column;
  std::string image_column;
  std::size_t max_line_bytes = 0;
  int threads = 0;
  bool json = false;
};

LintRequest request_of(const CheckOptions& options) {
  LintRequest request{.dataset = options.dataset};
  if (!options.predictions.empty()) request.predictions = options.predictions;
  if (!options.volumes.empty()) request.volumes = options.volumes;
  if (!options.metadata.empty()) request.metadata = options.metadata;
  if (!options.split.empty()) request.split = options.split;
  if (!options.synonyms.empty()) request.synonyms = options.synonyms;
  if (!options.labels.empty()) request.labels = options.labels;
  if (!options.view.empty()) request.view = options.view;
  if (!options.question_column.empty()) request.question_column = options.question_column;
  if (!options.answer_column.empty()) request.answer_column = options.answer_column;
  if (!options.image_column.empty()) request.image_column = options.image_column;
  if (options.max_line_bytes > 0) request.max_line_bytes = options.max_line_bytes;
  return request;
}

Result<int> check(const CheckOptions& options, Console& console) {
  FIDUCIAL_TRY(const LintReport report,
               check_dataset(request_of(options), Executor(options.threads), console));
  if (options.json) {
    console.print(report.json().pretty());
  } else {
    console.show(lint_table(report));
  }
  return report.has_errors() ? exit_status(ErrorCode::invalid_data) : 0;
}

}  // namespace

Command check_command() {
  return {
      .name = "check",
      .summary = "Validate a dataset and a submission against the benchmark's rules",
      .example = "fiducial check rexgroundingct/ --predictions submission.zip --volumes ct-rate/",
      .define = [](Verb verb) -> CommandBody {
        auto options = std::make_shared<CheckOptions>();
        verb.add_option(
                "DIR", options->dataset,
                "Dataset folder in a published layout (fiducial info lists them), or one table of questions "
                "(CSV, plain or gzip)")
            ->required();
        verb.add_option(
            "--predictions", options->predictions,
            "Submission to validate as a leaderboard would: a folder or flat zip of "
            "<case>.nii.gz, of <task>.csv or with grounded_reports.jsonl; or a JSONL file of answers");
        verb.add_option(
            "--volumes", options->volumes,
            "Folder of the CT volumes (NIfTI files or DICOM folders): validates headers, HU and the place of "
            "masks");
        verb.add_option("--metadata", options->metadata,
                        "CSV of facts about the volumes (default: the one *metadata*.csv of the folder of "
                        "volumes, else of DIR)");
        verb.add_option("--split", options->split,
                        "Check this split only (default: all; predictions: test, else val)");
        verb.add_option("--synonyms", options->synonyms,
                        "Synonyms of diagnoses, one group per line, separated by '|': searched for in "
                        "histories");
        verb.add_option(
            "--labels", options->labels,
            "RadGenome-Chest CT: CSV of the eighteen CT-RATE labels of the volumes, to compare positive "
            "findings with");
        verb.add_option("--view", options->view,
                        "Questions: JSONL file that a model is shown; it must hold no label");
        verb.add_option("--question-column", options->question_column,
                        "A table of questions: column of the questions (default: question)");
        verb.add_option("--answer-column", options->answer_column,
                        "A table of questions: column of the answers (default: answer)");
        verb.add_option(
            "--image-column", options->image_column,
            "A table of questions: column that names what is asked about (default: volume, image, "
            "case, study, ...)");
        verb.add_option("--max-line-bytes", options->max_line_bytes,
                        "Refuse longer lines of JSONL files (default: 64 MiB)")
            ->positive();
        verb.add_option("--threads", options->threads, "Threads (0: one per core)")
            ->check(Range(0, 1024))
            ->capture_default_str();
        verb.add_flag("--json", options->json, "Print the report as JSON");
        return [options](Console& console) { return check(*options, console); };
      }};
}

}  // namespace fiducial::cli
