#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/base/sha256.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

// What a system wrote on the way to its answer (prediction_twi).
struct ThinkingSteps {
  std::vector<std::string> findings;  // one an image
  std::string summary;
};

// What a system says about one case.
struct AnswerPrediction {
  std::uint64_t line = 0;            // in its file, from 1
  std::optional<std::string> reply;  // a letter or a whole reply; absent where none was given
  bool has_answer_field = false;     // the line has "answer", which is not read
  std::optional<ThinkingSteps> steps;
  std::optional<std::string> rationale;   // prediction_rationale as it stands
  std::string reasoning;                  // why it chose its answer; may be empty
  std::vector<std::string> cut_steps;     // explanation_steps: the reasoning as somebody cut it; often none
  std::optional<std::string> discussion;  // its teaching note
  std::optional<double> similarity;       // of its continuation of the history to the rest of it
};

struct AnswerPredictions {
  std::string file;  // its name
  Digest digest;
  std::map<std::int64_t, AnswerPrediction> by_number;
  std::vector<Error> skipped;  // what was wrong with lines that were left out
};

// Predictions in the format of the benchmark's submissions: a JSON object a line, with the title of its case
// ("Case number 68") and "prediction", else "parsed_answer_letter", "raw_output" (a text, or an object with
// "answer") or "model_answer". The reasoning
// is the first of prediction_twi's step3_differential_reasoning, "prediction_rationale", "parsed_explanation"
// and raw_output's "explanation"; the discussion is "prediction_discussion". Every other field, labels too,
// is ignored. The objects may also stand in one JSON list, or be the rows of a CSV or Parquet table, whose
// empty cells are absent. Refuses, with the line (in a list or a table: the place): what is no such object,
// and a case that occurs twice; with `skip_bad` these are left out and told instead, and of two the first
// counts. The folder of a model's run stands for the predictions in it, once it is finished.
Result<AnswerPredictions> read_answer_predictions(const Path& given, bool skip_bad = false);

// Predictions that name cases by the opaque ids of a blind copy, under the numbers of the cases themselves.
void resolve_opaque_ids(AnswerPredictions& predictions, std::span<const DiagnosisCase> cases);

}  // namespace fiducial
