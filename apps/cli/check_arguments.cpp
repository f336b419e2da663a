#include "check_arguments.h"

#include <array>

#include "fiducial/base/json_fields.h"

#include "planned_verb.h"

namespace fiducial::cli {

namespace {

struct CheckField {
  const char* name;
  std::string CheckArguments::*value;
  bool is_path = false;
};

constexpr std::array<CheckField, 11> check_fields{{{"dataset", &CheckArguments::dataset, true},
                                                   {"predictions", &CheckArguments::predictions, true},
                                                   {"volumes", &CheckArguments::volumes, true},
                                                   {"metadata", &CheckArguments::metadata, true},
                                                   {"split", &CheckArguments::split},
                                                   {"synonyms", &CheckArguments::synonyms, true},
                                                   {"labels", &CheckArguments::labels, true},
                                                   {"view", &CheckArguments::view, true},
                                                   {"question_column", &CheckArguments::question_column},
                                                   {"answer_column", &CheckArguments::answer_column},
                                                   {"image_column", &CheckArguments::image_column}}};

}  // namespace

LintRequest CheckArguments::request() const {
  LintRequest out{.dataset = dataset};
  if (!predictions.empty()) out.predictions = predictions;
  if (!volumes.empty()) out.volumes = volumes;
  if (!metadata.empty()) out.metadata = metadata;
  if (!split.empty()) out.split = split;
  if (!synonyms.empty()) out.synonyms = synonyms;
  if (!labels.empty()) out.labels = labels;
  if (!view.empty()) out.view = view;
  if (!question_column.empty()) out.question_column = question_column;
  if (!answer_column.empty()) out.answer_column = answer_column;
  if (!image_column.empty()) out.image_column = image_column;
  if (max_line_bytes > 0) out.max_line_bytes = max_line_bytes;
  return out;
}

void CheckArguments::declare(Verb verb) {
  verb.add_option(
          "DIR", dataset,
          "Dataset folder in a published layout (fiducial info lists them), or one table of questions "
          "(CSV, plain or gzip)")
      ->required();
  verb.add_option("--predictions", predictions,
                  "Submission to validate as a leaderboard would: a folder or flat zip of "
                  "<case>.nii.gz, of <task>.csv or with grounded_reports.jsonl; or a JSONL file of answers");
  verb.add_option(
      "--volumes", volumes,
      "Folder of the CT volumes (NIfTI files or DICOM folders): validates headers, HU and the place of "
      "masks");
  verb.add_option("--metadata", metadata,
                  "CSV of facts about the volumes (default: the one *metadata*.csv of the folder of "
                  "volumes, else of DIR)");
  verb.add_option("--split", split, "Check this split only (default: all; predictions: test, else val)");
  verb.add_option("--synonyms", synonyms,
                  "Synonyms of diagnoses, one group per line, separated by '|': searched for in "
                  "histories");
  verb.add_option(
      "--labels", labels,
      "RadGenome-Chest CT: CSV of the eighteen CT-RATE labels of the volumes, to compare positive "
      "findings with");
  verb.add_option("--view", view, "Questions: JSONL file that a model is shown; it must hold no label");
  verb.add_option("--question-column", question_column,
                  "A table of questions: column of the questions (default: question)");
  verb.add_option("--answer-column", answer_column,
                  "A table of questions: column of the answers (default: answer)");
  verb.add_option("--image-column", image_column,
                  "A table of questions: column that names what is asked about (default: volume, image, "
                  "case, study, ...)");
  verb.add_option("--max-line-bytes", max_line_bytes, "Refuse longer lines of JSONL files (default: 64 MiB)")
      ->positive();
}

CheckArguments CheckArguments::absolute() const {
  CheckArguments out = *this;
  for (const CheckField& field : check_fields) {
    if (field.is_path) out.*field.value = absolute_text(out.*field.value);
  }
  return out;
}

Json CheckArguments::json() const {
  Json out = Json::object({});
  for (const CheckField& field : check_fields) {
    if (!(this->*field.value).empty()) out.set(field.name, this->*field.value);
  }
  return out.set("max_line_bytes", static_cast<std::uint64_t>(max_line_bytes));
}

Result<CheckArguments> CheckArguments::parse(const Json& request) {
  CheckArguments out;
  for (const CheckField& field : check_fields) out.*field.value = text_at(request, field.name);
  if (out.dataset.empty()) return at_pointer("/request/dataset", "expected a folder");
  out.max_line_bytes = static_cast<std::size_t>(integer_at(request, "max_line_bytes"));
  return out;
}

std::vector<JobInput> CheckArguments::inputs() const {
  std::vector<JobInput> out;
  for (const CheckField& field : check_fields) {
    if (field.is_path && !(this->*field.value).empty()) out.push_back({field.name, this->*field.value});
  }
  return out;
}

}  // namespace fiducial::cli
