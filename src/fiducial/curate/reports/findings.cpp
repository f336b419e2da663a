#include "fiducial/curate/reports/finding_documents.h"
#include "fiducial/curate/reports/finding_replies.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/report_facts.h"

namespace fiducial {

namespace {

// No real report comes near: a megabyte of one word does.
constexpr std::size_t most_facts = 2000;
constexpr std::size_t longest_clause = 1000;

// A fact, with the sentence it stands in.
Json fact_json(const ReportRow& row, const ReportText& text, const Fact& fact, std::string sentence) {
  const Lexicon& lexicon = Lexicon::chest_ct();
  Json anatomy = Json::Array{};
  for (const ConceptId place : fact.anatomy) anatomy.push(lexicon.concepts()[place].name);
  Json paths = Json::strings(fact.paths);
  Json sizes = Json::Array{};
  for (const Measurement& size : fact.sizes)
    sizes.push((size.is_limit ? "less than " : "") + measurement_text(size));
  Json prior_sizes = Json::Array{};
  for (const Measurement& size : fact.prior_sizes) prior_sizes.push(measurement_text(size));
  constexpr const char* sides[] = {"", "left", "right", "bilateral"};
  return Json::object({{"VolumeName", std::string(row.id)},
                       {"finding", lexicon.concepts()[fact.finding].name},
                       {"polarity", fact.present ? "present" : "absent"},
                       {"certainty", to_string(fact.certainty)},
                       {"anatomy", std::move(anatomy)},
                       {"side", sides[(fact.left ? 1 : 0) + (fact.right ? 2 : 0)]},
                       {"paths", std::move(paths)},
                       {"sizes", std::move(sizes)},
                       {"prior_sizes", std::move(prior_sizes)},
                       {"prior", fact.speaks_of_prior},
                       {"temporal", to_string(fact.temporal)},
                       {"sentence", std::move(sentence)},
                       {"column", std::string(text.column)},
                       {"begin", static_cast<std::int64_t>(fact.evidence.begin)},
                       {"end", static_cast<std::int64_t>(fact.evidence.end)},
                       {"text", std::string(fact.evidence.of(text.text))},
                       {"clause", std::string(fact.clause.of(text.text).substr(0, longest_clause))}});
}

// A finding with its code and every place that says so.
Json traced_finding_json(const ReportRow& row, const FindingPhrase& phrase, const DocumentKeys& keys) {
  return Json::object({{"VolumeName", std::string(row.id)},
                       {"key", keys.key},
                       {"place", keys.place},
                       {"text", phrase.text},
                       {"polarity", phrase.abnormal ? "present" : "absent"},
                       {"prior", phrase.speaks_of_prior},
                       {"category", phrase.abnormal ? Json(category_code(phrase)) : Json()},
                       {"codes", Json::strings(phrase.sources)},
                       {"sources", sources_json(phrase.spans, row)}});
}

// Draws findings from one table of reports.
class FindingRun {
 public:
  struct Files {
    OutputFile& facts;
    OutputFile& findings;
  };

  FindingRun(StageCall& call, const Files& files, EarlierOutputs earlier)
      : call_(call), files_(files), earlier_(std::move(earlier)) {}

  Result<ItemStatus> add(const ReportRow& row) {
    if (!names_a_file(row.id))
      return rejected("bad_name", "the name of the report cannot be the name of a file");
    const ReadStandardReport read = standard_report(row);
    if (read.status.is_failure()) return read.status;
    std::vector<FindingPhrase> phrases = extractor_.extract(read.report);
    ItemStatus status;
    if (call_.flag("ask")) {
      FIDUCIAL_TRY(status, take_reply(row, read.report, phrases));
      if (status.status != "ok") return status;
    }
    trace_findings(phrases, read.report);
    FIDUCIAL_TRY(const std::int64_t left_out, write_facts(row));
    if (left_out > 0) status.facts = Json::object({{"facts_left_out", left_out}});
    FIDUCIAL_TRY_DONE(write_findings(row, phrases));
    const FindingDocuments documents = documents_of(phrases);
    FIDUCIAL_TRY_DONE(write_report_file(call_, "extracted_reports", row.id, documents.extracted));
    FIDUCIAL_TRY_DONE(write_report_file(call_, "pos_neg_labeled_reports", row.id, documents.labelled));
    FIDUCIAL_TRY_DONE(write_report_file(call_, "positive_finding_reports", row.id, documents.positive));
    return status;
  }

  Json summary() const { return call_.flag("ask") ? call_.agreement().json() : Json(Json::Object{}); }

 private:
  ReadStandardReport standard_report(const ReportRow& row) {
    if (earlier_.empty()) {
      const ReportSectionsText texts = sections_of(row);
      return {.report = standardiser_.standardise(texts.findings, texts.impressions), .status = {}};
    }
    const EarlierOutputs::Document document = earlier_.find("translated_reports", row.id);
    if (document.status.is_failure()) return {.report = {}, .status = document.status};
    ReadStandardReport read = standard_report_of(document.value);
    if (!read.status.is_failure()) read.status = check_words(row, read.report);
    if (read.status.is_failure()) return read;
    const ReportSectionsText texts = sections_of(row);
    trace_sentences(read.report, standardiser_.standardise(texts.findings, texts.impressions));
    return read;
  }

  // A report in other words states and denies what it did.
  ItemStatus check_words(const ReportRow& row, const StandardReport& report) {
    std::string words;
    for (const auto& section : report.sections) {
      for (const StandardSentence& sentence : section) words += sentence.text + ".\n";
    }
    const ReportSectionsText texts = sections_of(row);
    ItemStatus status = polarity_.check_text(texts.findings, words, false);
    if (status.is_failure()) return status;
    words.clear();
    for (const StandardSentence& sentence : report.impressions) words += sentence.text + ".\n";
    return polarity_.check_text(texts.impressions, words, false);
  }

  // A model's findings in place of those of the rules; what each sentence is taken for is compared.
  Result<ItemStatus> take_reply(const ReportRow& row, const StandardReport& report,
                                std::vector<FindingPhrase>& phrases) {
    FIDUCIAL_TRY(const CheckedReply reply, ask_for(call_, finding_request(report), row.id));
    if (!reply.usable) return reply.status;
    ItemStatus status = check_findings(reply.value, report, phrases);
    if (status.is_failure()) return status;
    std::vector<FindingPhrase> said = phrases_of(reply.value);
    call_.agreement().add(agree_on_sentences(said, phrases), status);
    phrases = std::move(said);
    return status;
  }

  // Returns how many there are beyond those that are written.
  Result<std::int64_t> write_facts(const ReportRow& row) {
    std::int64_t left_out = 0;
    for (const ReportText& text : row.texts) {
      const SentenceCodes codes(text.text, text.section);
      const std::vector<Fact> facts = reader_.read(text.text);
      const std::size_t count = std::min(facts.size(), most_facts);
      for (std::size_t i = 0; i < count; ++i) {
        const Json line = fact_json(row, text, facts[i], codes.at(facts[i].evidence.begin));
        FIDUCIAL_TRY_DONE(files_.facts.write(line.compact() + "\n"));
      }
      left_out += static_cast<std::int64_t>(facts.size() - count);
    }
    return left_out;
  }

  Outcome write_findings(const ReportRow& row, const std::vector<FindingPhrase>& phrases) {
    DocumentNumbers numbers;
    for (const FindingPhrase& phrase : phrases) {
      const Json line = traced_finding_json(row, phrase, numbers.next(phrase));
      FIDUCIAL_TRY_DONE(files_.findings.write(line.compact() + "\n"));
    }
    return done();
  }

  StageCall& call_;
  Files files_;
  EarlierOutputs earlier_;
  FactReader reader_;
  ReportStandardiser standardiser_;
  FindingExtractor extractor_;
  ReplyPolarity polarity_;
};

Outcome run_findings(StageCall& call) {
  FIDUCIAL_TRY(EarlierOutputs earlier, EarlierOutputs::of(call));
  FIDUCIAL_TRY(OutputFile * facts, call.output().add("facts.jsonl"));
  FIDUCIAL_TRY(OutputFile * findings, call.output().add("findings.jsonl"));
  FindingRun run(call, {.facts = *facts, .findings = *findings}, std::move(earlier));
  FIDUCIAL_TRY_DONE(
      for_each_report(call, {.unique_names = true}, [&run](const ReportRow& row) { return run.add(row); }));
  call.summary() = run.summary();
  return done();
}

}  // namespace

Stage findings_stage() {
  return {.name = "findings",
          .summary = "Draw findings from reports: stated and denied, with sources and facts",
          .example = "fiducial curate findings reports.csv -o findings",
          .inputs = {reports_input()},
          .options = {from_option("standardise"), ask_option()},
          .asks = true,
          .writes_folder = true,
          .resumes = true,
          .by_rows = true,
          .run = run_findings};
}

}  // namespace fiducial
