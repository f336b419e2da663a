#include "fiducial/curate/reports/question_files.h"

namespace fiducial {

namespace {

constexpr const char* presence_header = "Volumename,Anatomy,Finding,Presence,Basis,Sources\n";

}  // namespace

Result<QuestionFiles> open_question_files(StageCall& call) {
  QuestionFiles files;
  const auto add = [&call](const char* name, const char* header) -> Result<OutputFile*> {
    FIDUCIAL_TRY(OutputFile * file, call.output().add(name));
    FIDUCIAL_TRY_DONE(file->write_heading(header));
    return file;
  };
  FIDUCIAL_TRY(files.abnormality, add("vqa_abnormality.csv", "Volumename,Anatomy,Abnormality,Sources\n"));
  FIDUCIAL_TRY(files.location, add("vqa_location.csv", "Volumename,Anatomy,Abnormality,Sources\n"));
  FIDUCIAL_TRY(files.presence, add("vqa_presence.csv", presence_header));
  FIDUCIAL_TRY(files.size, add("vqa_size.csv", "Volumename,Anatomy,Abnormality,Size,Sources\n"));
  FIDUCIAL_TRY(files.disorders, add("case_disorders.csv", "Volumename,Disorders,Sources\n"));
  FIDUCIAL_TRY(files.questions, add("questions.jsonl", ""));
  FIDUCIAL_TRY(files.memory, call.output().add_memory(presence_memory));
  FIDUCIAL_TRY(files.open, call.output().add_memory(open_memory));
  if (!call.flag("silent")) return files;
  FIDUCIAL_TRY(files.silent, add("silent_presence.csv", presence_header));
  FIDUCIAL_TRY(files.silent_questions, add("silent_questions.jsonl", ""));
  return files;
}

}  // namespace fiducial
