#pragma once

#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/curate/engine/output_files.h"
#include "fiducial/curate/reports/question_balance.h"
#include "fiducial/curate/reports/question_lines.h"

namespace fiducial {

// The questions of a corpus that are not answered by yes or no. They wait in a file until all are known; then
// those are written whose answers cannot be guessed from their words (QuestionBalance).
class OpenQuestions {
 public:
  explicit OpenQuestions(OutputFile& waiting) : waiting_(waiting) {}

  Outcome add(std::string_view volume, const AskedQuestion& asked, const SourceColumns& columns);
  // Takes those that an earlier run left waiting.
  Outcome recall(const Path& waiting);
  // Words the questions that are asked and writes them in the order they came; returns what can be guessed of
  // each family before and after.
  Result<Json> write(const Path& waiting, PythonRandom& random, OutputFile& questions);

 private:
  OutputFile& waiting_;
  QuestionBalance balance_;
};

}  // namespace fiducial
