#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/report_asks.h"
#include "fiducial/curate/reports/report_sources.h"
#include "fiducial/findings/report_labels.h"

namespace fiducial {

namespace {

std::string header_row(const ConceptRules& rules) {
  std::vector<std::string> names{"VolumeName"};
  names.insert(names.end(), rules.names().begin(), rules.names().end());
  return csv_row(names);
}

Json evidence_json(const ReportRow& row, const ReportText& text, const LabelEvidence& why,
                   std::string sentence) {
  const ConceptRules& rules = ct_rate_label_rules();
  return Json::object({{"row", row.index},
                       {"VolumeName", std::string(row.id)},
                       {"label", rules.names()[why.label]},
                       {"sentence", std::move(sentence)},
                       {"column", std::string(text.column)},
                       {"begin", static_cast<std::int64_t>(why.finding.begin)},
                       {"end", static_cast<std::int64_t>(why.finding.end)},
                       {"text", std::string(why.finding.of(text.text))},
                       {"clause", std::string(why.clause.of(text.text))},
                       {"rule", rules.rules()[why.rule].text}});
}

// Labels one table of reports.
class LabelRun {
 public:
  LabelRun(StageCall& call, OutputFile& labels, OutputFile* explanations)
      : call_(call), labels_(labels), explanations_(explanations) {}

  Outcome begin() { return labels_.write_heading(header_row(labeller_.rules())); }

  Result<ItemStatus> add(const ReportRow& row) {
    if (!call_.flag("ask")) {
      if (const std::optional<ItemStatus> unread = illegible(row)) {
        FIDUCIAL_TRY_DONE(write_unread(row));
        return *unread;
      }
    }
    std::vector<bool> raised(labeller_.rules().names().size());
    for (const ReportText& text : row.texts) {
      const std::vector<bool>& flags = labeller_.labels(text.text);
      for (std::size_t i = 0; i < flags.size(); ++i) raised[i] = raised[i] || flags[i];
      FIDUCIAL_TRY_DONE(explain(row, text));
    }
    if (call_.flag("ask")) return take_reply(row, raised);
    FIDUCIAL_TRY_DONE(write(row, raised));
    return ItemStatus{};
  }

  Json summary() const { return call_.flag("ask") ? call_.agreement().json() : Json(Json::Object{}); }

 private:
  // A model's labels, counted where they are those of the rules.
  Result<ItemStatus> take_reply(const ReportRow& row, const std::vector<bool>& by_rules) {
    const std::vector<std::string>& names = labeller_.rules().names();
    FIDUCIAL_TRY(const CheckedReply reply, ask_for(call_, label_request(row, names), row.id));
    if (!reply.usable) return reply.status;
    ItemStatus status;
    std::vector<bool> raised(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) raised[i] = *reply.value.find(names[i])->as_integer() == 1;
    status = check_polarity(row, raised, by_rules);
    if (status.is_failure()) return status;
    for (std::size_t i = 0; i < names.size(); ++i) call_.agreement().add(raised[i] == by_rules[i], status);
    FIDUCIAL_TRY_DONE(write(row, raised));
    return status;
  }

  // A label is not raised by what the report denies, nor withheld from what it states.
  ItemStatus check_polarity(const ReportRow& row, const std::vector<bool>& raised,
                            const std::vector<bool>& by_rules) {
    std::string words;
    for (const ReportText& text : row.texts) words.append(text.text).append(".\n");
    const PolarityRecord report = polarity_.read(words);
    const ConceptRules& rules = labeller_.rules();
    std::vector<ConceptSet> subjects(raised.size());
    for (const ConceptRules::Rule& rule : rules.rules()) subjects[rule.name].set(rule.subject);
    for (std::size_t i = 0; i < raised.size(); ++i) {
      const bool stated = (report.stated() & subjects[i]).any();
      const bool denied = (report.denied() & subjects[i]).any();
      const bool open = (report.open() & subjects[i]).any();
      if (raised[i] && denied && !stated && !open && !by_rules[i])
        return rejected("changed_polarity", rules.names()[i] + " is denied in the report");
      if (!raised[i] && by_rules[i] && stated && !denied && !open)
        return rejected("changed_polarity", rules.names()[i] + " is stated in the report");
    }
    return {};
  }

  Outcome write(const ReportRow& row, const std::vector<bool>& raised) {
    std::vector<std::string> cells{std::string(row.id)};
    for (const bool flag : raised) cells.emplace_back(flag ? "1" : "0");
    return labels_.write(csv_row(cells));
  }

  // Its row has no answers: none of them is known to be 0.
  Outcome write_unread(const ReportRow& row) {
    std::vector<std::string> cells(labeller_.rules().names().size() + 1);
    cells.front() = row.id;
    return labels_.write(csv_row(cells));
  }

  Outcome explain(const ReportRow& row, const ReportText& text) {
    if (explanations_ == nullptr) return done();
    const SentenceCodes codes(text.text, text.section);
    for (const LabelEvidence& why : labeller_.evidence(text.text)) {
      const Json line = evidence_json(row, text, why, codes.at(why.finding.begin));
      FIDUCIAL_TRY_DONE(explanations_->write(line.compact() + "\n"));
    }
    return done();
  }

  StageCall& call_;
  OutputFile& labels_;
  OutputFile* explanations_;
  ReportLabeller labeller_;
  ReplyPolarity polarity_;
};

Outcome run_labels(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * labels, call.output().add_main(".csv"));
  OutputFile* explanations = nullptr;
  if (call.flag("explain")) {
    FIDUCIAL_TRY(explanations, call.output().add("explain.jsonl"));
  }
  LabelRun run(call, *labels, explanations);
  FIDUCIAL_TRY_DONE(run.begin());
  FIDUCIAL_TRY_DONE(for_each_report(call, {.text_column = call.text("text-column"), .any_language = true},
                                    [&run](const ReportRow& row) { return run.add(row); }));
  call.summary() = run.summary();
  return done();
}

}  // namespace

Stage labels_stage() {
  return {.name = "labels",
          .summary = "Label reports with the eighteen abnormalities of CT-RATE, by rules",
          .example = "fiducial curate labels reports.csv -o labels.csv --explain",
          .inputs = {reports_input()},
          .options = {text_column_option(),
                      {.name = "explain",
                       .help = "Also write OUT.explain.jsonl: which rule fired on which characters",
                       .kind = StageOption::Kind::flag},
                      ask_option()},
          .asks = true,
          .writes_file = true,
          .resumes = true,
          .by_rows = true,
          .run = run_labels};
}

}  // namespace fiducial
