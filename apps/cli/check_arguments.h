#pragma once

#include <string>
#include <vector>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/jobs/input_state.h"

#include "verb.h"

namespace fiducial::cli {

// What 'fiducial check' and 'fiducial plan check' are asked for.
struct CheckArguments {
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

  void declare(Verb verb);
  LintRequest request() const;

  // For a plan: with paths that lead there from anywhere; as JSON and back; and what is read.
  CheckArguments absolute() const;
  Json json() const;
  static Result<CheckArguments> parse(const Json& request);
  std::vector<JobInput> inputs() const;
};

}  // namespace fiducial::cli
