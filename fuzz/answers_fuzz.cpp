// Files of answers: any text gives predictions or an error with the line, and what is read keeps its
// promises.
#include "fiducial/datasets/medthinkvqa/answer_predictions.h"

#include "fuzz_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fiducial;
  const fuzz::MemoryFile file(as_text(fuzz::view(bytes, size)));
  const Result<AnswerPredictions> answers = read_answer_predictions(file.path());
  if (!answers.ok()) {
    fuzz::require(answers.error().code() == ErrorCode::invalid_data && !answers.error().text().empty());
    return 0;
  }
  fuzz::require(!answers->by_number.empty());
  for (const auto& [number, answer] : answers->by_number) fuzz::require(answer.line >= 1);
  return 0;
}
