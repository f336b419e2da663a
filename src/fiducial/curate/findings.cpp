#include "fiducial/base/number_text.h"
#include "fiducial/curate/report_replies.h"
#include "fiducial/findings/finding_phrases.h"

namespace fiducial {

namespace {

std::string joined_sources(const std::vector<std::string>& codes) {
  std::string out;
  for (const std::string& code : codes) out += (out.empty() ? "" : ",") + code;
  return out;
}

// The published form of a finding: phrase, sources, abnormal, refers to a prior study.
Json finding_json(const FindingPhrase& phrase) {
  return Json::array({phrase.text, joined_sources(phrase.sources), phrase.abnormal ? "Y" : "N",
                      phrase.speaks_of_prior ? "Y" : "N"});
}

struct FindingDocuments {
  Json extracted = Json::Object{};
  Json labelled = Json::Object{};
  Json positive = Json::Object{};
  Json categories = Json::Object{};
};

FindingDocuments documents_of(const std::vector<FindingPhrase>& phrases) {
  FindingDocuments out;
  std::size_t positives = 0;
  std::size_t negatives = 0;
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    const FindingPhrase& phrase = phrases[i];
    const std::string key = "S" + decimal(i + 1);
    const std::string place = phrase.abnormal ? "P" + decimal(++positives) : "N" + decimal(++negatives);
    out.extracted.set(key, finding_json(phrase));
    out.labelled.set(joined_sources({key, place}), finding_json(phrase));
    if (!phrase.abnormal) continue;
    out.positive.set(place, phrase.text);
    const auto& rules = category_rules();
    out.categories.set(place, phrase.category_rule ? rules.names()[rules.rules()[*phrase.category_rule].name]
                                                   : std::string("abstain"));
  }
  return out;
}

Json fact_json(const ReportRow& row, const ReportText& text, const Fact& fact, const Lexicon& lexicon) {
  Json anatomy = Json::Array{};
  for (const ConceptId place : fact.anatomy) anatomy.push(lexicon.concepts()[place].name);
  Json sizes = Json::Array{};
  for (const Measurement& size : fact.sizes) sizes.push(measurement_text(size));
  constexpr const char* sides[] = {"", "left", "right", "bilateral"};
  return Json::object({{"VolumeName", std::string(row.id)},
                       {"finding", lexicon.concepts()[fact.finding].name},
                       {"polarity", fact.present ? "present" : "absent"},
                       {"certainty", to_string(fact.certainty)},
                       {"anatomy", std::move(anatomy)},
                       {"side", sides[(fact.left ? 1 : 0) + (fact.right ? 2 : 0)]},
                       {"sizes", std::move(sizes)},
                       {"prior", fact.speaks_of_prior},
                       {"column", std::string(text.column)},
                       {"begin", static_cast<std::int64_t>(fact.evidence.begin)},
                       {"end", static_cast<std::int64_t>(fact.evidence.end)},
                       {"text", std::string(fact.evidence.of(text.text))},
                       {"clause", std::string(fact.clause.of(text.text))}});
}

// Draws findings from one table of reports.
class FindingRun {
 public:
  FindingRun(StageCall& call, OutputFile& facts) : call_(call), facts_(facts) {}

  Result<ItemStatus> add(const ReportRow& row) {
    if (!names_a_file(row.id))
      return rejected("bad_name", "the name of the report cannot be the name of a file");
    FIDUCIAL_TRY_DONE(write_facts(row));
    const ReportSectionsText texts = sections_of(row);
    const StandardReport report = standardiser_.standardise(texts.findings, texts.impressions);
    const FindingDocuments documents = documents_of(extractor_.extract(report));
    FIDUCIAL_TRY_DONE(write_report_file(call_, "extracted_reports", row.id, documents.extracted));
    FIDUCIAL_TRY_DONE(write_report_file(call_, "pos_neg_labeled_reports", row.id, documents.labelled));
    FIDUCIAL_TRY_DONE(write_report_file(call_, "positive_finding_reports", row.id, documents.positive));
    return ItemStatus{};
  }

 private:
  Outcome write_facts(const ReportRow& row) {
    for (const ReportText& text : row.texts) {
      for (const Fact& fact : reader_.read(text.text)) {
        FIDUCIAL_TRY_DONE(facts_.write(fact_json(row, text, fact, reader_.lexicon()).compact() + "\n"));
      }
    }
    return done();
  }

  StageCall& call_;
  OutputFile& facts_;
  FactReader reader_;
  ReportStandardiser standardiser_;
  FindingExtractor extractor_;
};

Outcome run_findings(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * facts, call.output().add("facts.jsonl"));
  FindingRun run(call, *facts);
  return for_each_report(call, {}, [&run](const ReportRow& row) { return run.add(row); });
}

Json focal_json(std::string_view code) {
  const std::optional<bool> focal = focal_category(code);
  return focal ? Json(*focal) : Json();
}

// Sorts the findings of one table of reports by code.
class CategoryRun {
 public:
  CategoryRun(StageCall& call, OutputFile& table) : call_(call), table_(table) {}

  Result<ItemStatus> add(const ReportRow& row) {
    if (!names_a_file(row.id))
      return rejected("bad_name", "the name of the report cannot be the name of a file");
    const ReportSectionsText texts = sections_of(row);
    const std::vector<FindingPhrase> phrases =
        extractor_.extract(standardiser_.standardise(texts.findings, texts.impressions));
    const FindingDocuments documents = documents_of(phrases);
    if (call_.flag("ask")) return take_reply(row, documents);
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

 private:
  // A model's codes, counted where they are those of the rules.
  Result<ItemStatus> take_reply(const ReportRow& row, const FindingDocuments& documents) {
    if (documents.positive.as_object()->empty())
      return ItemStatus{.status = "ok", .code = "no_positive_findings"};
    FIDUCIAL_TRY(const std::optional<ModelReply> reply,
                 call_.ask(category_request(documents.positive), std::string(row.id)));
    if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
    if (!reply->error.empty()) return rejected("no_reply", reply->error);
    ItemStatus status = check_category_reply(reply->value, documents.positive);
    if (status.is_failure()) return status;
    for (const auto& [key, code] : *documents.categories.as_object()) {
      ++findings_;
      const bool same = *reply->value.find(key)->as_string() == *code.as_string();
      agreed_ += same ? 1 : 0;
      if (!same) status.code = "differs_from_rules";
    }
    FIDUCIAL_TRY_DONE(write_report_file(call_, "categorized_findings/categorization", row.id, reply->value));
    return status;
  }

  Outcome write_rows(const ReportRow& row, const std::vector<FindingPhrase>& phrases) {
    std::size_t positives = 0;
    const ConceptRules& rules = category_rules();
    for (const FindingPhrase& phrase : phrases) {
      if (!phrase.abnormal) continue;
      ++findings_;
      if (!phrase.category_rule) ++abstained_;
      const ConceptRules::Rule* rule = phrase.category_rule ? &rules.rules()[*phrase.category_rule] : nullptr;
      const std::string code = rule != nullptr ? rules.names()[rule->name] : "abstain";
      const Json focal = focal_json(code);
      const char* kind = focal.is_null() ? "" : (*focal.as_bool() ? "focal" : "non-focal");
      FIDUCIAL_TRY_DONE(table_.write(csv_row(std::vector<std::string>{
          std::string(row.id), "P" + decimal(++positives), phrase.text, joined_sources(phrase.sources), code,
          kind, rule != nullptr ? rule->text : "no rule holds"})));
    }
    return done();
  }

  StageCall& call_;
  OutputFile& table_;
  ReportStandardiser standardiser_;
  FindingExtractor extractor_;
  std::int64_t findings_ = 0;
  std::int64_t abstained_ = 0;
  std::int64_t agreed_ = 0;
};

Outcome run_categories(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * table, call.output().add("categories.csv"));
  FIDUCIAL_TRY_DONE(table->write("VolumeName,Key,Finding,Sources,Category,Focality,Rule\n"));
  CategoryRun run(call, *table);
  FIDUCIAL_TRY_DONE(for_each_report(call, {}, [&run](const ReportRow& row) { return run.add(row); }));
  call.summary() = run.summary();
  return done();
}

}  // namespace

Stage findings_stage() {
  return {.name = "findings",
          .summary = "Draw findings from reports: stated and denied, with sources and facts",
          .example = "fiducial curate findings reports.csv -o findings",
          .inputs = {reports_input()},
          .writes_folder = true,
          .run = run_findings};
}

Stage categories_stage() {
  return {.name = "categories",
          .summary = "Sort the findings of reports by the 62 codes of ReXGroundingCT, or abstain",
          .example = "fiducial curate categories reports.csv -o categories",
          .inputs = {reports_input()},
          .options = {ask_option()},
          .asks = true,
          .writes_folder = true,
          .run = run_categories};
}

}  // namespace fiducial
