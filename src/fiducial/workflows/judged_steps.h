#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/diagnosis_case.h"
#include "fiducial/text/discussion_sentences.h"
#include "fiducial/workflows/prompt.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

// What a judge is shown of a case: what experts wrote about it, and the steps that are judged. Neither who
// wrote the steps nor which answer they led to.
struct CaseToJudge {
  PromptValues references;                         // history, findings, discussion, diagnosis, captions
  std::vector<std::string> steps;                  // or sentences of a discussion
  std::vector<DiscussionSentence> sentences = {};  // beside them
};

// The steps of explanations, or the sentences of discussions, by the number of their case.
class JudgedSteps {
 public:
  // From predictions or the folder of a run: explanation_steps where a line has them, else its reasoning cut
  // by punctuation; or the sentences of its discussion that stand under a heading. Refuses predictions
  // without any.
  static Result<JudgedSteps> read(const Path& predictions, Judged what);

  const std::string& sha256() const { return sha256_; }
  // What the judge is shown of a case; null where there is nothing of it to judge.
  std::shared_ptr<const CaseToJudge> find(const DiagnosisCase& entry) const;

 private:
  std::string sha256_;
  std::map<std::int64_t, CaseToJudge> by_number_;  // without references
};

}  // namespace fiducial
