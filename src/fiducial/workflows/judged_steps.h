#pragma once

#include <map>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/diagnosis_case.h"
#include "fiducial/workflows/prompt.h"

namespace fiducial {

// What a judge is shown of a case: what experts wrote about it, and the steps that are judged. Neither who
// wrote the steps nor which answer they led to.
struct CaseToJudge {
  PromptValues references;  // history, findings, discussion, diagnosis, captions
  std::vector<std::string> steps;
};

// The steps of explanations by the number of their case.
class JudgedSteps {
 public:
  // From predictions or the folder of a run: explanation_steps where a line has them, else its reasoning cut
  // by punctuation. Refuses predictions without any reasoning.
  static Result<JudgedSteps> read(const Path& predictions);

  const std::string& sha256() const { return sha256_; }
  // Null where there is no step of the case.
  const std::vector<std::string>* find(std::int64_t number) const;

 private:
  std::string sha256_;
  std::map<std::int64_t, std::vector<std::string>> by_number_;
};

CaseToJudge case_to_judge(const DiagnosisCase& entry, std::vector<std::string> steps);

}  // namespace fiducial
