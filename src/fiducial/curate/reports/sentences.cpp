#include "fiducial/text/sentences.h"

#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/report_asks.h"

namespace fiducial {

namespace {

Outcome write_sentences(const ReportRow& row, const ReportText& text, const std::vector<Sentence>& sentences,
                        OutputFile& file) {
  std::int64_t index = 0;
  for (const Sentence& sentence : sentences) {
    FIDUCIAL_TRY_DONE(file.write(csv_row(std::vector<std::string>{
        std::string(row.id), text.section + decimal(index++), std::string(text.column),
        decimal(sentence.span.begin), decimal(sentence.span.end), std::string(sentence.content.of(text.text)),
        std::string(sentence.span.of(text.text))})));
  }
  return done();
}

// A model's sentences, counted where they are those of the rules.
Result<ItemStatus> take_sentences(StageCall& call, const ReportRow& row, OutputFile& file) {
  FIDUCIAL_TRY(const CheckedReply reply, ask_for(call, sentence_request(row), row.id));
  if (!reply.usable) return reply.status;
  std::vector<std::vector<Sentence>> all;
  for (const ReportText& text : row.texts) {
    AlignedSentences aligned = aligned_sentences(text.text, *reply.value.find(text.column));
    if (aligned.status.is_failure()) return aligned.status;
    all.push_back(std::move(aligned.sentences));
  }
  ItemStatus status;
  for (std::size_t i = 0; i < all.size(); ++i) {
    call.agreement().add(all[i].size() == split_sentences(row.texts[i].text).size(), status);
    FIDUCIAL_TRY_DONE(write_sentences(row, row.texts[i], all[i], file));
  }
  return status;
}

Outcome run_sentences(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".csv", "sentences"));
  FIDUCIAL_TRY_DONE(file->write_heading("VolumeName,Code,Column,Begin,End,Sentence,Text\n"));
  const auto use = [&](const ReportRow& row) -> Result<ItemStatus> {
    if (call.flag("ask")) return take_sentences(call, row, *file);
    for (const ReportText& text : row.texts) {
      FIDUCIAL_TRY_DONE(write_sentences(row, text, split_sentences(text.text), *file));
    }
    return ItemStatus{};
  };
  FIDUCIAL_TRY_DONE(
      for_each_report(call, {.text_column = call.text("text-column"), .any_language = true}, use));
  if (call.flag("ask")) call.summary() = call.agreement().json();
  return done();
}

}  // namespace

Stage sentences_stage() {
  return {.name = "sentences",
          .summary = "Split reports into sentences that give every byte back",
          .example = "fiducial curate sentences reports.csv -o sentences.csv",
          .inputs = {reports_input()},
          .options = {text_column_option(), ask_option()},
          .asks = true,
          .resumes = true,
          .by_rows = true,
          .run = run_sentences};
}

}  // namespace fiducial
