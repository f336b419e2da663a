#include "fiducial/workflows/judged_steps.h"

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/text/reasoning_steps.h"

namespace fiducial {

namespace {

std::vector<std::string> steps_of(const AnswerPrediction& prediction) {
  std::vector<std::string> out = prediction.cut_steps;
  if (out.empty()) out = split_reasoning_steps(prediction.reasoning, false);
  std::erase_if(out, [](const std::string& step) { return trimmed(step).empty(); });
  return out;
}

std::string or_none(const std::string& text) { return text.empty() ? "not provided" : text; }

}  // namespace

Result<JudgedSteps> JudgedSteps::read(const Path& predictions) {
  FIDUCIAL_TRY(const AnswerPredictions found, read_answer_predictions(predictions));
  JudgedSteps out;
  out.sha256_ = found.digest.hex();
  for (const auto& [number, prediction] : found.by_number) {
    std::vector<std::string> steps = steps_of(prediction);
    if (!steps.empty()) out.by_number_.emplace(number, std::move(steps));
  }
  if (out.by_number_.empty())
    return Error(ErrorCode::invalid_data,
                 "no line has a reasoning (prediction_rationale, prediction_twi) or explanation_steps",
                 Place{.path = predictions.string()});
  return out;
}

const std::vector<std::string>* JudgedSteps::find(std::int64_t number) const {
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : &found->second;
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
