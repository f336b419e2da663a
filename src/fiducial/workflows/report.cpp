#include "fiducial/base/json_fields.h"
#include "fiducial/chat/reply_schema.h"
#include "fiducial/workflows/scan_question.h"

namespace fiducial {

Workflow report_workflow();

namespace {

std::string reported(const Json& reply) { return text_at(reply, "report"); }

}  // namespace

Workflow report_workflow() {
  return {.name = "report",
          .summary = "What a report says of each region of a scan, or of the whole scan",
          .prompts = {"report_region", "report_whole", "ask_again"},
          .answers = false,
          .scans = ScanQuestions{.view = "axial-two-windows",
                                 .read = [](const DatasetAdapter& adapter, const Path& dataset,
                                            const std::optional<std::string>& split) -> Result<ScanSplit> {
                                   return read_table_questions(adapter, dataset, split, {"region_report"});
                                 },
                                 .write = write_table_answers},
          .begin = [](const DialogueStart& start) -> std::unique_ptr<Dialogue> {
            const bool is_whole = start.shown.questions.front().place.empty();
            const QuestionForm form{.kind = "region_report",
                                    .prompt = is_whole ? "report_whole" : "report_region",
                                    .schema = exact_object_schema({{"report", text_schema()}}),
                                    .answer = reported};
            return std::make_unique<ScanQuestion>(start, form);
          }};
}

}  // namespace fiducial
