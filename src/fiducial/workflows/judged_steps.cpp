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

CaseToJudge discussion_of(const AnswerPrediction& prediction) {
  CaseToJudge out;
  if (!prediction.discussion) return out;
  out.sentences = discussion_sentences(parse_discussion(*prediction.discussion));
  std::erase_if(out.sentences, [](const DiscussionSentence& each) { return each.section().empty(); });
  for (const DiscussionSentence& each : out.sentences) out.steps.push_back(each.text);
  return out;
}

PromptValues references_of(const DiagnosisCase& entry) {
  std::string captions;
  for (std::size_t i = 0; i < entry.images.size(); ++i) {
    if (!entry.images[i].caption.empty())
      append_joined(captions, "Image " + decimal(i + 1) + ": " + entry.images[i].caption, "\n");
  }
  return {{"history", or_none(entry.history)},
          {"findings", or_none(entry.findings)},
          {"discussion", or_none(entry.discussion)},
          {"diagnosis", or_none(entry.key_text())},
          {"captions", or_none(captions)}};
}

}  // namespace

Result<JudgedSteps> JudgedSteps::read(const Path& predictions, Judged what) {
  FIDUCIAL_TRY(const AnswerPredictions found, read_answer_predictions(predictions));
  JudgedSteps out;
  out.sha256_ = found.digest.hex();
  for (const auto& [number, prediction] : found.by_number) {
    CaseToJudge judged = what == Judged::steps ? CaseToJudge{.references = {}, .steps = steps_of(prediction)}
                                               : discussion_of(prediction);
    if (!judged.steps.empty()) out.by_number_.emplace(number, std::move(judged));
  }
  if (!out.by_number_.empty()) return out;
  return Error(ErrorCode::invalid_data,
               what == Judged::steps
                   ? "no line has a reasoning (prediction_rationale, prediction_twi) or explanation_steps"
                   : "no line has a discussion (prediction_discussion) with sentences under its headings",
               Place{.path = predictions.string()});
}

std::shared_ptr<const CaseToJudge> JudgedSteps::find(const DiagnosisCase& entry) const {
  const auto found = by_number_.find(entry.number);
  if (found == by_number_.end()) return nullptr;
  CaseToJudge out = found->second;
  out.references = references_of(entry);
  return std::make_shared<const CaseToJudge>(std::move(out));
}

}  // namespace fiducial
