#include "fiducial/workflows/judged_steps.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/text/reasoning_steps.h"

namespace fiducial {

namespace {

// What a line says led to its answer.
std::string reasoning_of(const Json& line) {
  const Json* twi = line.find("prediction_twi");
  const std::string step3 = twi == nullptr ? "" : text_at(*twi, "step3_differential_reasoning");
  if (!step3.empty()) return step3;
  for (const char* key : {"prediction_rationale", "parsed_explanation"}) {
    std::string text = text_at(line, key);
    if (!text.empty()) return text;
  }
  const Json* raw = line.find("raw_output");
  return raw == nullptr ? "" : text_at(*raw, "explanation");
}

std::vector<std::string> steps_of(const Json& line) {
  std::vector<std::string> out = strings_at(line, "explanation_steps");
  if (out.empty()) out = split_reasoning_steps(reasoning_of(line), false);
  std::erase_if(out, [](const std::string& step) { return trimmed(step).empty(); });
  return out;
}

std::string or_none(const std::string& text) { return text.empty() ? "not provided" : text; }

}  // namespace

Result<JudgedSteps> JudgedSteps::read(const Path& predictions) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(predictions, ignored);
  const Path path = is_folder ? predictions / "predictions.jsonl" : predictions;
  FIDUCIAL_TRY(const RecordFile file, read_records(path));
  JudgedSteps out;
  out.sha256_ = file.digest.hex();
  for (const Record& record : file.records) {
    FIDUCIAL_TRY(const std::optional<std::string> title, record.text("title"));
    if (!title) return at_record(invalid_data("expected a title, found none"), record, path.string());
    std::vector<std::string> steps = steps_of(record.fields());
    if (!steps.empty()) out.by_title_.emplace(*title, std::move(steps));
  }
  if (out.by_title_.empty())
    return Error(ErrorCode::invalid_data,
                 "no line has a reasoning (prediction_rationale, prediction_twi) or explanation_steps",
                 Place{.path = path.string()});
  return out;
}

const std::vector<std::string>* JudgedSteps::find(const std::string& title) const {
  const auto found = by_title_.find(title);
  return found == by_title_.end() ? nullptr : &found->second;
}

CaseToJudge case_to_judge(const DiagnosisCase& entry, std::vector<std::string> steps) {
  std::string captions;
  for (std::size_t i = 0; i < entry.images.size(); ++i) {
    if (!entry.images[i].caption.empty())
      append_joined(captions, "Image " + decimal(i + 1) + ": " + entry.images[i].caption, "\n");
  }
  return {.references = {{"history", or_none(entry.history)},
                         {"findings", or_none(entry.findings)},
                         {"discussion", or_none(entry.discussion)},
                         {"diagnosis", or_none(entry.key_text())},
                         {"captions", or_none(captions)}},
          .steps = std::move(steps)};
}

}  // namespace fiducial
