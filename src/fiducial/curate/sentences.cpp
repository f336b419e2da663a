#include "fiducial/text/sentences.h"

#include "fiducial/base/number_text.h"
#include "fiducial/curate/report_stage.h"

namespace fiducial {

namespace {

Result<ItemStatus> write_sentences(const ReportRow& row, OutputFile& file) {
  for (const ReportText& text : row.texts) {
    std::int64_t index = 0;
    for (const Sentence& sentence : split_sentences(text.text)) {
      FIDUCIAL_TRY_DONE(file.write(csv_row(std::vector<std::string>{
          std::string(row.id), text.section + decimal(index++), std::string(text.column),
          decimal(sentence.span.begin), decimal(sentence.span.end),
          std::string(sentence.content.of(text.text))})));
    }
  }
  return ItemStatus{};
}

Outcome run_sentences(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".csv"));
  FIDUCIAL_TRY_DONE(file->write("VolumeName,Code,Column,Begin,End,Sentence\n"));
  return for_each_report(call, {.text_column = call.text("text-column")},
                         [file](const ReportRow& row) { return write_sentences(row, *file); });
}

}  // namespace

Stage sentences_stage() {
  return {.name = "sentences",
          .summary = "Split reports into sentences that give every byte back",
          .example = "fiducial curate sentences reports.csv -o sentences.csv",
          .inputs = {reports_input()},
          .options = {text_column_option()},
          .run = run_sentences};
}

}  // namespace fiducial
