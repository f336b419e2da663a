#include "fiducial/base/json_fields.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/datasets/radgenome/tables.h"
#include "fiducial/workflows/scan_question.h"

namespace fiducial {

Workflow vqa_workflow();

namespace {

std::string listed_findings(const Json& reply) {
  const std::string found = joined(strings_at(reply, "findings"));
  return found.empty() ? std::string(radgenome::nothing_found) : found;
}

const std::vector<QuestionForm>& question_forms() {
  static const Json findings = exact_object_schema({{"findings", list_schema(text_schema())}});
  static const std::vector<QuestionForm> forms = {
      {"abnormality", "vqa_abnormality", findings, listed_findings},
      {"presence", "vqa_presence",
       exact_object_schema({{"answer", enum_schema({"Yes", "No"}).set("type", "string")}}),
       [](const Json& reply) { return text_at(reply, "answer") + "."; }},
      {"location", "vqa_location", exact_object_schema({{"path", text_schema()}}),
       [](const Json& reply) { return text_at(reply, "path"); }},
      {"size", "vqa_size", exact_object_schema({{"size", text_schema()}}),
       [](const Json& reply) { return text_at(reply, "size"); }},
      {"disorders", "vqa_disorders", findings, listed_findings},
  };
  return forms;
}

}  // namespace

Workflow vqa_workflow() {
  Workflow out{
      .name = "vqa",
      .summary = "Questions about a scan and its regions, one by one: what, whether, where, how large",
      .prompts = {"ask_again"},
      .answers = false,
      .scans = ScanQuestions{.view = "axial-two-windows",
                             .read = [](const DatasetAdapter& adapter, const Path& dataset,
                                        const std::optional<std::string>& split) -> Result<ScanSplit> {
                               std::vector<std::string> kinds;
                               for (const QuestionForm& form : question_forms()) kinds.push_back(form.kind);
                               return read_table_questions(adapter, dataset, split, kinds);
                             },
                             .write = write_table_answers},
      .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
        for (const QuestionForm& form : question_forms()) {
          if (form.kind == start.shown.questions.front().kind)
            return std::make_unique<ScanQuestion>(start, form);
        }
        return nullptr;
      }};
  for (const QuestionForm& form : question_forms()) out.prompts.push_back(form.prompt);
  return out;
}

}  // namespace fiducial
