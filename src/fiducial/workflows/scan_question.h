#pragma once

#include "fiducial/workflows/workflow.h"

namespace fiducial {

// How one kind of question about a scan is asked: the prompt, the form of the reply, and the answer in the
// words that are scored.
struct QuestionForm {
  std::string kind;
  std::string prompt;
  Json schema;
  std::string (*answer)(const Json& reply);
};

// One question about a scan in the words of a prompt.
class ScanQuestion final : public Dialogue {
 public:
  ScanQuestion(const DialogueStart& start, const QuestionForm& form);
  CaseAnswer answer() const override;

 private:
  ShownQuestion question_;
  std::string (*read_)(const Json& reply);
};

// The questions of tables that ask about volumes, each once, whatever it is to be answered. Tables of kinds
// that are not wanted are not read.
Result<ScanSplit> read_table_questions(const DatasetAdapter& adapter, const Path& dataset,
                                       const std::optional<std::string>& split,
                                       const std::vector<std::string>& kinds);
// Answers as tables of the same columns with "Answer", a file a kind.
Result<Json> write_table_answers(const PreparedRun& run, const std::vector<AnsweredItem>& answers);

}  // namespace fiducial
