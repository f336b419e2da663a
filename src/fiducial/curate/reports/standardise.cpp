#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_replies.h"
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

Result<ItemStatus> take_reply(StageCall& call, const ReportRow& row) {
  const ReportSectionsText texts = sections_of(row);
  FIDUCIAL_TRY(const std::optional<ModelReply> reply,
               call.ask(standard_report_request(texts), std::string(row.id)));
  if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
  if (!reply->error.empty()) return rejected("no_reply", reply->error);
  const Json& value = reply->value;
  const ItemStatus status = check_standard_reply(value, texts);
  if (!status.is_failure()) FIDUCIAL_TRY_DONE(write_report_file(call, "translated_reports", row.id, value));
  return status;
}

Result<ItemStatus> standardise(StageCall& call, ReportStandardiser& standardiser, const ReportRow& row) {
  if (!names_a_file(row.id))
    return rejected("bad_name", "the name of the report cannot be the name of a file");
  if (call.flag("ask")) return take_reply(call, row);
  const ReportSectionsText texts = sections_of(row);
  const StandardReport report = standardiser.standardise(texts.findings, texts.impressions);
  FIDUCIAL_TRY_DONE(write_report_file(call, "translated_reports", row.id, document_of(report)));
  if (report.problems.empty()) return ItemStatus{};
  return rejected("not_preserved", report.problems.front());
}

Outcome run_standardise(StageCall& call) {
  ReportStandardiser standardiser;
  return for_each_report(call, {.unique_names = true},
                         [&](const ReportRow& row) { return standardise(call, standardiser, row); });
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
