#pragma once

#include <string>
#include <vector>

#include "fiducial/eval/diagnostic_score.h"

#include "console.h"
#include "verb.h"

namespace fiducial::cli {

// Options of score that are for answers to questions only.
struct AnswerOptions {
  std::vector<std::string> baselines;  // NAME=FILE
  std::string components;
  std::string provider;
  int provider_timeout_s = 3600;
  std::string verdicts;
  std::string ratings;
  std::string wordnet;
  bool accept_equal_options = false;
  int resamples = 10'000;
};
void define_answer_options(Verb verb, AnswerOptions& options);
Result<DiagnosticScoreRequest> answer_request(const AnswerOptions& options);

// Where the scores go and what is said about them.
struct AnswerOutput {
  ScoreOutput output;
  std::string max_failures;
  int threads = 0;
  bool has_report = true;
  bool json = false;
};

// Scores answers to questions, writes the folder and prints the scorecard; the exit status by how many cases
// have no answer.
Result<int> score_diagnostic(const DiagnosticScoreRequest& request, const AnswerOutput& output,
                             Console& console);

}  // namespace fiducial::cli
