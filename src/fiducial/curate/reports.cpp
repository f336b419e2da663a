#include <map>

#include "fiducial/curate/report_stage.h"
#include "fiducial/findings/report_grounding.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

// The text of every place a report speaks of, and of all places above it; "" is the whole scan.
std::map<std::string, std::string> region_texts(std::string_view findings, ReportGrounder& grounder) {
  std::map<std::string, std::string> texts;
  const auto append = [&texts](const std::string& path, std::string_view sentence) {
    std::string& text = texts[path];
    text += (text.empty() ? "" : " ") + std::string(sentence) + ".";
  };
  for (const Sentence& sentence : split_sentences(findings, SentenceRule::published)) {
    const std::string_view words = sentence.content.of(findings);
    if (words.empty()) continue;
    append("", words);
    std::map<std::string, bool> closed;
    for (const std::string& path : grounder.paths(words)) {
      for (const std::string& each : with_ancestors(path)) closed[each] = true;
    }
    for (const auto& [path, said] : closed) append(path, words);
  }
  return texts;
}

Result<ItemStatus> write_region_texts(const ReportRow& row, ReportGrounder& grounder, OutputFile& table) {
  for (const auto& [path, text] : region_texts(row.texts.front().text, grounder)) {
    FIDUCIAL_TRY_DONE(table.write(csv_row(std::vector<std::string>{std::string(row.id), path, text})));
  }
  return ItemStatus{};
}

Outcome run_reports(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * table, call.output().add("region_report.csv"));
  FIDUCIAL_TRY_DONE(table->write("Volumename,Anatomy,Sentence\n"));
  ReportGrounder grounder;
  return for_each_report(call, {.text_column = call.text("text-column"), .findings_only = true},
                         [&](const ReportRow& row) { return write_region_texts(row, grounder, *table); });
}

}  // namespace

Stage reports_stage() {
  return {.name = "reports",
          .summary = "Ground reports: the text of every anatomical path they speak of, and of all above it",
          .example = "fiducial curate reports reports.csv -o grounded",
          .inputs = {reports_input()},
          .options = {text_column_option()},
          .writes_folder = true,
          .run = run_reports};
}

}  // namespace fiducial
