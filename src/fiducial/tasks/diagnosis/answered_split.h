#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/diagnosis_dataset.h"
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"
#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/diagnosis/discussion_ratings.h"
#include "fiducial/tasks/diagnosis/radcliq_components.h"
#include "fiducial/tasks/diagnosis/step_verdicts.h"
#include "fiducial/text/answer_extraction.h"
#include "fiducial/text/bleu.h"
#include "fiducial/text/discussion_sections.h"

namespace fiducial {

// A case with what was answered: by strict and by official clean-up of the same reply.
struct AnsweredCase {
  DiagnosisCase entry;
  std::int64_t position = 0;  // among the cases of the split
  std::string right_letters;  // the key; with equal options accepted also theirs
  bool is_missing = false;    // the predictions have no line for it
  std::array<ExtractedAnswer, 2> answers;

  const ExtractedAnswer& answer(Scorer scorer) const { return answers[static_cast<std::size_t>(scorer)]; }
  bool is_correct(Scorer scorer) const {
    const auto letter = answer(scorer).letter;
    return letter && right_letters.find(*letter) != std::string::npos;
  }
  bool is_strictly_correct(Scorer scorer) const {
    return is_correct(scorer) && is_strict(answer(scorer).rule);
  }
};

// One aggregate, a mean or a share: what every case adds to it.
struct CaseMeasure {
  std::string slot;
  const MetricContract* contract = nullptr;
  bool is_share_of_cases = false;  // every case is 0 or 1
  std::string absence;             // why a case has no value
  std::vector<double> sums;
  std::string counted = "cases";  // what counts are of: cases, texts, steps
  std::vector<double> counts;
  std::vector<double> failed;  // of counts: zeros for want of a prediction
  // Where the value is BLEU of all texts together and no mean: what every case adds to it.
  std::shared_ptr<const std::vector<BleuCounts>> corpus;
  int order = 0;
};

// The steps of a case with their verdicts, by strict and by official rules.
struct JudgedCase {
  std::size_t at = 0;  // its place among the cases
  std::array<std::vector<JudgedStep>, 2> steps;
};

// A discussion that a system wrote.
struct WrittenDiscussion {
  std::size_t at = 0;
  Discussion discussion;
};

// How another system, which lacks what the question is about, answers each case.
struct BaselineAnswers {
  std::string name;
  std::string file;
  Digest digest;
  std::vector<AnsweredCase> cases;  // beside the cases
};

// The cases of a split that were scored, with all that was found out about them.
struct AnsweredSplit {
  std::vector<AnsweredCase> cases;                   // in the order of the split
  std::array<std::vector<CaseMeasure>, 2> measures;  // by scorer; what both agree in stands with the first
  std::vector<BaselineAnswers> baselines;
  Json judge;                                  // who judged the steps; null: they were not judged
  std::vector<JudgedCase> judged;              // where verdicts were given: one a case
  std::vector<WrittenDiscussion> discussions;  // where any were written
  RatingsByCase ratings;
  std::string
      provided_components;  // what a provider wrote, a record a line; kept, so that the run can be made again
  std::vector<InputFile> inputs;
  std::vector<Remark> remarks;
};

// What an answer without a letter is counted as: "ambiguous", "refused" or "invalid".
inline const char* unanswered_code(AnswerRule rule) {
  return rule == AnswerRule::ambiguous ? "ambiguous" : rule == AnswerRule::refused ? "refused" : "invalid";
}

// Where the answers of a provider are kept in a score folder.
inline constexpr const char* components_file = "components.jsonl";

// The code of a remark about a prediction for no case of the split.
inline constexpr const char* unknown_case_code = "unknown_case";

// The code of a remark about a line of predictions that was left out.
inline constexpr const char* skipped_line_code = "skipped_line";

// Cases by ICD-10, images, modalities and what their options are like.
std::vector<GroupKind> answer_groups(const std::vector<AnsweredCase>& cases);

// One row a judged step, one a sentence of a discussion.
Table steps_table(const AnsweredSplit& split, const std::vector<Scorer>& scorers);
Table sentences_table(const AnsweredSplit& split);

}  // namespace fiducial
