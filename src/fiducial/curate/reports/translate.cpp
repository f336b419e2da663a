#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_stage.h"
#include "fiducial/curate/reports/translated_sentence.h"
#include "fiducial/findings/report_language.h"

namespace fiducial {

namespace {

ModelRequest translation_request(const ReportRow& row) {
  Json user = Json::Object{};
  std::vector<std::pair<std::string, Json>> members;
  const Json pair = exact_object_schema({{"source", text_schema()}, {"english", text_schema()}});
  for (const ReportText& text : row.texts) {
    if (is_blank(text.text)) continue;
    user.set(std::string(text.column), std::string(text.text));
    members.emplace_back(std::string(text.column), list_schema(pair));
  }
  return request_in_words_of("translate", user, exact_object_schema(members));
}

// The English text of a column: every sentence of the report is there once, and each holds what it held.
struct Translated {
  std::string english;
  ItemStatus status;
};
Translated translated(const SourceLanguage& language, std::string_view text, const Json& sentences) {
  Translated out;
  Json sources = Json::Array{};
  for (const Json& each : *sentences.as_array()) sources.push(text_at(each, "source"));
  out.status = aligned_sentences(text, sources).status;
  for (const Json& each : *sentences.as_array()) {
    if (out.status.is_failure()) return out;
    const std::string english = text_at(each, "english");
    out.status = check_translated(language, text_at(each, "source"), english);
    append_joined(out.english, trimmed(english), " ");
  }
  return out;
}

Result<ItemStatus> translate(StageCall& call, const SourceLanguage& language, const ReportRow& row,
                             OutputFile& file) {
  const bool is_empty = std::all_of(row.texts.begin(), row.texts.end(),
                                    [](const ReportText& text) { return is_blank(text.text); });
  if (is_empty)
    return ItemStatus{
        .status = "skipped", .code = "empty_report", .detail = "line " + decimal(row.line) + ": no word"};
  FIDUCIAL_TRY(const CheckedReply reply, ask_for(call, translation_request(row), row.id));
  if (!reply.usable) return reply.status;
  std::vector<std::string> cells{std::string(row.id), "", ""};
  LanguageProbe probe;
  for (const ReportText& text : row.texts) {
    if (is_blank(text.text)) continue;
    Translated column = translated(language, text.text, *reply.value.find(text.column));
    if (column.status.is_failure()) return column.status;
    probe.add(column.english);
    cells[text.section == 'I' ? 2 : 1] = std::move(column.english);
  }
  if (probe.result() == Legibility::not_english)
    return rejected("not_english", "hardly a word of the translation is English");
  FIDUCIAL_TRY_DONE(file.write(csv_row(cells)));
  return language.is_known() ? ItemStatus{} : ItemStatus{.code = "sides_unchecked"};
}

Outcome run_translate(StageCall& call) {
  FIDUCIAL_TRY(const SourceLanguage* language, SourceLanguage::find(call.text("language")));
  FIDUCIAL_TRY(OutputFile * file, call.output().add_main(".csv", "reports"));
  FIDUCIAL_TRY_DONE(file->write_heading("VolumeName,Findings_EN,Impressions_EN\n"));
  const ReportColumns columns{
      .text_column = call.text("text-column"), .unique_names = true, .any_language = true};
  FIDUCIAL_TRY_DONE(for_each_report(call, columns, [&](const ReportRow& row) -> Result<ItemStatus> {
    return translate(call, *language, row, *file);
  }));
  call.summary().set("language", language->code());
  call.summary().set("sides_and_denials_checked", language->is_known());
  return done();
}

}  // namespace

Stage translate_stage() {
  std::vector<std::string> codes = SourceLanguage::codes();
  codes.emplace_back("en");
  return {.name = "translate",
          .summary = "Translate reports into English; numbers, sides and denials must stay",
          .example = "fiducial curate translate reports.csv -o english.csv --language tr --model MODEL",
          .inputs = {reports_input()},
          .options = {{.name = "language",
                       .help = "Language of the reports; of \"other\" only numbers are checked",
                       .required = true,
                       .choices = std::move(codes)},
                      text_column_option()},
          .asks = true,
          .resumes = true,
          .by_rows = true,
          .run = run_translate};
}

}  // namespace fiducial
