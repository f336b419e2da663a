#include "fiducial/export/answer_submission.h"

#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/datasets/medthinkvqa/dataset.h"
#include "fiducial/datasets/medthinkvqa/release_writer.h"
#include "fiducial/datasets/medthinkvqa/submission.h"
#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"

namespace fiducial {

namespace {

std::string submitted_letter(const std::string& reply, const DiagnosisCase& item) {
  const ExtractedAnswer found = extract_answer(cleaned_reply(reply, Scorer::strict), item.options);
  return found.letter ? std::string(1, *found.letter) : reply;
}

Json steps_json(const AnswerPrediction& prediction) {
  return Json::object({{"step1_per_image_findings", Json::strings(prediction.steps->findings)},
                       {"step2_integrated_summary", prediction.steps->summary},
                       {"step3_differential_reasoning", prediction.reasoning}});
}

Json line_of(const DiagnosisCase& item, const AnswerPrediction& prediction) {
  Json out = medthinkvqa::released_row(item);
  if (prediction.reply) out.set("prediction", submitted_letter(*prediction.reply, item));
  const std::string rationale = prediction.rationale.value_or(prediction.reasoning);
  if (!rationale.empty()) out.set("prediction_rationale", rationale);
  if (prediction.steps) out.set("prediction_twi", steps_json(prediction));
  return out;
}

Result<medthinkvqa::PublishedRows> published_rows(const Path& dataset, const std::string& split) {
  medthinkvqa::PublishedRows out;
  for (const medthinkvqa::SplitFile& file : medthinkvqa::split_files(dataset)) {
    if (file.split != split) continue;
    const auto visit = [&out](Result<medthinkvqa::RawRow> row) -> Outcome {
      FIDUCIAL_TRY(const medthinkvqa::RawRow read, std::move(row));
      if (const auto number = medthinkvqa::case_number(read.title.value_or("")))
        out.emplace(*number, medthinkvqa::published_row(read));
      return done();
    };
    FIDUCIAL_TRY_DONE(medthinkvqa::read_rows(dataset, file, {.with_digest = false}, visit));
  }
  return out;
}

}  // namespace

Result<AnswerSubmission> answer_submission(const DiagnosisSplit& split, const Path& dataset,
                                           const Path& predictions, const std::string& name) {
  FIDUCIAL_TRY(const AnswerPredictions answers, read_answer_predictions(predictions));
  AnswerSubmission out;
  std::set<std::int64_t> known;
  for (const DiagnosisCase& item : split.cases) {
    known.insert(item.number);
    const auto found = answers.by_number.find(item.number);
    if (found != answers.by_number.end()) out.text += line_of(item, found->second).compact() + "\n";
  }
  for (const auto& [number, prediction] : answers.by_number) {
    if (known.contains(number)) continue;
    out.text += Json::object({{"title", "Case number " + decimal(number)},
                              {"prediction", prediction.reply.value_or("")}})
                    .compact() +
                "\n";
  }
  FIDUCIAL_TRY(medthinkvqa::PublishedRows rows, published_rows(dataset, split.name));
  medthinkvqa::CheckedAnswers checked = medthinkvqa::check_answers(
      name, out.text,
      {.split = split.name, .rows = std::move(rows), .max_line_bytes = medthinkvqa::max_line_bytes});
  out.report = {.benchmark = "medthinkvqa", .dataset_file = split.file};
  out.report.splits.emplace_back(split.name, static_cast<std::int64_t>(split.cases.size()));
  out.report.submission = std::move(checked.facts);
  out.report.problems = std::move(checked.problems);
  return out;
}

}  // namespace fiducial
