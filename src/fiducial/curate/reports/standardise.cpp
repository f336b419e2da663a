#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_documents.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_replies.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/standard_report.h"

namespace fiducial {

namespace {

// As the published pipeline writes its translated reports.
Json document_of(const StandardReport& report) {
  Json findings = Json::Object{};
  for (std::size_t i = 0; i < report_sections.size(); ++i) {
    Json sentences = Json::Array{};
    for (const StandardSentence& sentence : report.sections[i]) sentences.push(sentence.text + ".");
    findings.set(std::string(report_sections[i].name), std::move(sentences));
  }
  std::string impressions =
      joined(report.impressions, " ", [](const StandardSentence& sentence) { return sentence.text + "."; });
  return Json::object({{"Findings", std::move(findings)},
                       {"Impressions", impressions.empty() ? Json("Not Given") : Json(impressions)}});
}

// A line a sentence: its code, and where the report has it.
Outcome write_sources(OutputFile& file, const ReportRow& row, const StandardReport& report) {
  const auto write = [&](const StandardSentence& sentence) -> Outcome {
    Json line = Json::object({{"VolumeName", std::string(row.id)}, {"code", sentence.code}});
    line.set("sources",
             sentence.source.sentence.empty() ? Json(Json::Array{}) : sources_json({sentence.source}, row));
    return file.write(line.compact() + "\n");
  };
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) FIDUCIAL_TRY_DONE(write(sentence));
  }
  for (const StandardSentence& sentence : report.impressions) FIDUCIAL_TRY_DONE(write(sentence));
  return done();
}

// What standardises one table of reports, and where it says which sentence is which.
struct StandardRun {
  StageCall& call;
  OutputFile& sources;
  ReportStandardiser standardiser{};
};

Result<ItemStatus> take_reply(StandardRun& run, const ReportRow& row) {
  StageCall& call = run.call;
  const ReportSectionsText texts = sections_of(row);
  FIDUCIAL_TRY(const std::optional<ModelReply> reply,
               call.ask(standard_report_request(texts), std::string(row.id)));
  if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
  if (!reply->error.empty()) return rejected("no_reply", reply->error);
  const Json& value = reply->value;
  const ItemStatus status = check_standard_reply(value, texts);
  if (status.is_failure()) return status;
  ReadStandardReport read = standard_report_of(value);
  trace_sentences(read.report, run.standardiser.standardise(texts.findings, texts.impressions));
  FIDUCIAL_TRY_DONE(write_sources(run.sources, row, read.report));
  FIDUCIAL_TRY_DONE(write_report_file(call, "translated_reports", row.id, value));
  return status;
}

Result<ItemStatus> standardise(StandardRun& run, const ReportRow& row) {
  if (!names_a_file(row.id))
    return rejected("bad_name", "the name of the report cannot be the name of a file");
  if (run.call.flag("ask")) return take_reply(run, row);
  const ReportSectionsText texts = sections_of(row);
  const StandardReport report = run.standardiser.standardise(texts.findings, texts.impressions);
  FIDUCIAL_TRY_DONE(write_report_file(run.call, "translated_reports", row.id, document_of(report)));
  FIDUCIAL_TRY_DONE(write_sources(run.sources, row, report));
  if (report.problems.empty()) return ItemStatus{};
  return rejected("not_preserved", report.problems.front());
}

Outcome run_standardise(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * sources, call.output().add("sources.jsonl"));
  StandardRun run{.call = call, .sources = *sources};
  return for_each_report(call, {.unique_names = true},
                         [&run](const ReportRow& row) { return standardise(run, row); });
}

}  // namespace

Stage standardise_stage() {
  return {.name = "standardise",
          .summary = "Put reports in standard words and sort their findings into seven sections",
          .example = "fiducial curate standardise reports.csv -o standard",
          .inputs = {reports_input()},
          .options = {ask_option()},
          .asks = true,
          .writes_folder = true,
          .resumes = true,
          .by_rows = true,
          .run = run_standardise};
}

}  // namespace fiducial
