#pragma once

#include "fiducial/curate/engine/stage_call.h"

namespace fiducial {

// What `vqa` writes: a table a family, the questions in words, and what is remembered for a run that goes on.
struct QuestionFiles {
  OutputFile* abnormality = nullptr;
  OutputFile* location = nullptr;
  OutputFile* presence = nullptr;
  OutputFile* size = nullptr;
  OutputFile* disorders = nullptr;
  OutputFile* questions = nullptr;
  OutputFile* silent = nullptr;  // where silent questions are asked for
  OutputFile* silent_questions = nullptr;
  OutputFile* memory = nullptr;  // a line a report, with what may be asked of it by yes or no
  OutputFile* open = nullptr;    // a line an open question
};

inline constexpr const char* presence_memory = ".presence.jsonl";
inline constexpr const char* open_memory = ".questions.tsv";

Result<QuestionFiles> open_question_files(StageCall& call);

}  // namespace fiducial
