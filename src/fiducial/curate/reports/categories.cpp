#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/finding_documents.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_replies.h"
#include "fiducial/curate/reports/report_sources.h"

namespace fiducial {

namespace {

// Sorts the findings of one table of reports by code.
class CategoryRun {
 public:
  CategoryRun(StageCall& call, OutputFile& table, EarlierOutputs earlier)
      : call_(call), table_(table), earlier_(std::move(earlier)) {}

  Result<ItemStatus> add(const ReportRow& row) {
    if (!names_a_file(row.id))
      return rejected("bad_name", "the name of the report cannot be the name of a file");
    std::vector<FindingPhrase> phrases;
    ItemStatus read = read_phrases(row, phrases);
    if (read.is_failure()) return read;
    const FindingDocuments documents = documents_of(phrases);
    if (call_.flag("ask")) return take_reply(row, documents, phrases);
    FIDUCIAL_TRY_DONE(write_rows(row, phrases));
    FIDUCIAL_TRY_DONE(
        write_report_file(call_, "categorized_findings/categorization", row.id, documents.categories));
    return documents.categories.as_object()->empty()
               ? ItemStatus{.status = "ok", .code = "no_positive_findings"}
               : ItemStatus{};
  }

  Json summary() const {
    if (call_.flag("ask")) return Json::object({{"findings", findings_}, {"agree_with_rules", agreed_}});
    return Json::object({{"findings", findings_}, {"abstained", abstained_}});
  }

  RowMemory memory() {
    return {.save =
                [this] {
                  return Json::array({findings_, abstained_, agreed_});
                },
            .restore = [this](const Json& state) -> Outcome {
              FIDUCIAL_TRY(const Json::Array* counts, expect_array(state, "/state"));
              if (counts->size() != 3) return invalid_data("expected three counts in the checkpoint");
              FIDUCIAL_TRY(findings_, expect_integer((*counts)[0], "/state/0"));
              FIDUCIAL_TRY(abstained_, expect_integer((*counts)[1], "/state/1"));
              FIDUCIAL_TRY(agreed_, expect_integer((*counts)[2], "/state/2"));
              return done();
            }};
  }

 private:
  // The findings of a report: drawn here, or those that an earlier stage drew.
  ItemStatus read_phrases(const ReportRow& row, std::vector<FindingPhrase>& phrases) {
    if (earlier_.empty()) {
      const ReportSectionsText texts = sections_of(row);
      phrases = extractor_.extract(standardiser_.standardise(texts.findings, texts.impressions));
      return {};
    }
    const EarlierOutputs::Document document = earlier_.find("positive_finding_reports", row.id);
    if (document.status.is_failure()) return document.status;
    ItemStatus form = check_text_members(document.value, "positive_finding_reports");
    if (!form.is_failure()) form = polarity_.check_positive(sections_of(row), document.value);
    if (form.is_failure()) return form;
    const std::map<std::string, FindingPhrase> known = phrases_of_report(row);
    for (const auto& [key, text] : *document.value.as_object()) {
      const auto found = known.find(*text.as_string());
      phrases.push_back(found != known.end() ? found->second : coder_.coded(*text.as_string()));
    }
    return {};
  }

  // What the rules draw from a report, by its words: a phrase that was not changed since has the code it had,
  // from the sentences around it.
  std::map<std::string, FindingPhrase> phrases_of_report(const ReportRow& row) {
    const ReportSectionsText texts = sections_of(row);
    std::map<std::string, FindingPhrase> out;
    for (FindingPhrase& phrase :
         extractor_.extract(standardiser_.standardise(texts.findings, texts.impressions))) {
      if (phrase.abnormal) out.emplace(phrase.text, std::move(phrase));
    }
    return out;
  }

  // A model's codes, counted where they are those of the rules.
  Result<ItemStatus> take_reply(const ReportRow& row, const FindingDocuments& documents,
                                const std::vector<FindingPhrase>& phrases) {
    if (documents.positive.as_object()->empty())
      return ItemStatus{.status = "ok", .code = "no_positive_findings"};
    FIDUCIAL_TRY(const std::optional<ModelReply> reply,
                 call_.ask(category_request(documents.positive), std::string(row.id)));
    if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
    if (!reply->error.empty()) return rejected("no_reply", reply->error);
    const Json& value = reply->value;
    ItemStatus status = check_category_reply(value, documents.positive);
    if (status.is_failure()) return status;
    DocumentNumbers numbers;
    for (const FindingPhrase& phrase : phrases) {
      const std::string key = numbers.next(phrase).place;
      if (!phrase.abnormal) continue;
      ++findings_;
      const std::string& said = *value.find(key)->as_string();
      const bool agrees = said == category_code(phrase);
      agreed_ += agrees ? 1 : 0;
      if (!agrees) status.code = "differs_from_rules";
      FIDUCIAL_TRY_DONE(write_row(
          row, key, {phrase.text, joined(phrase.sources, ","), said, "a model", sources_text(phrase.spans)}));
    }
    FIDUCIAL_TRY_DONE(write_report_file(call_, "categorized_findings/categorization", row.id, value));
    return status;
  }

  struct CodedRow {
    std::string text;
    std::string sources;
    std::string code;
    std::string rule;
    std::string spans;
  };

  Outcome write_row(const ReportRow& row, const std::string& key, const CodedRow& coded) {
    const std::optional<bool> focal = focal_category(coded.code);
    const char* kind = !focal ? "" : (*focal ? "focal" : "non-focal");
    return table_.write(csv_row(std::vector<std::string>{std::string(row.id), key, coded.text, coded.sources,
                                                         coded.code, kind, coded.rule, coded.spans}));
  }

  Outcome write_rows(const ReportRow& row, const std::vector<FindingPhrase>& phrases) {
    std::size_t positives = 0;
    for (const FindingPhrase& phrase : phrases) {
      if (!phrase.abnormal) continue;
      ++findings_;
      if (!phrase.category_rule) ++abstained_;
      const std::string rule = phrase.category_rule ? category_rules().rules()[*phrase.category_rule].text
                                                    : abstention_reason(phrase);
      FIDUCIAL_TRY_DONE(write_row(row, "P" + decimal(++positives),
                                  {phrase.text, joined(phrase.sources, ","), category_code(phrase), rule,
                                   sources_text(phrase.spans)}));
    }
    return done();
  }

  StageCall& call_;
  OutputFile& table_;
  EarlierOutputs earlier_;
  ReportStandardiser standardiser_;
  FindingExtractor extractor_;
  PhraseCoder coder_;
  ReplyPolarity polarity_;
  std::int64_t findings_ = 0;
  std::int64_t abstained_ = 0;
  std::int64_t agreed_ = 0;
};

Outcome run_categories(StageCall& call) {
  FIDUCIAL_TRY(EarlierOutputs earlier, EarlierOutputs::of(call));
  FIDUCIAL_TRY(OutputFile * table, call.output().add("categories.csv"));
  FIDUCIAL_TRY_DONE(table->write_heading("VolumeName,Key,Finding,Sources,Category,Focality,Rule,Spans\n"));
  CategoryRun run(call, *table, std::move(earlier));
  FIDUCIAL_TRY_DONE(for_each_report(
      call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }, run.memory()));
  call.summary() = run.summary();
  return done();
}

}  // namespace

Stage categories_stage() {
  return {.name = "categories",
          .summary = "Sort the findings of reports by the 62 codes of ReXGroundingCT, or abstain",
          .example = "fiducial curate categories reports.csv -o categories",
          .inputs = {reports_input()},
          .options = {from_option("findings"), ask_option()},
          .asks = true,
          .writes_folder = true,
          .resumes = true,
          .by_rows = true,
          .run = run_categories};
}

}  // namespace fiducial
