#include "fiducial/curate/report_rows.h"
#include "fiducial/curate/report_stage.h"
#include "fiducial/findings/report_labels.h"

namespace fiducial {

namespace {

std::string header_row(const ConceptRules& rules) {
  std::vector<std::string> names{"VolumeName"};
  names.insert(names.end(), rules.names().begin(), rules.names().end());
  return csv_row(names);
}

Json evidence_json(const ReportRow& row, const ReportText& text, const LabelEvidence& why,
                   const ConceptRules& rules) {
  return Json::object({{"row", row.index},
                       {"VolumeName", std::string(row.id)},
                       {"label", rules.names()[why.label]},
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
  LabelRun(OutputFile& labels, OutputFile* explanations) : labels_(labels), explanations_(explanations) {}

  Outcome begin() { return labels_.write(header_row(labeller_.rules())); }

  Result<ItemStatus> add(const ReportRow& row) {
    std::vector<bool> raised(labeller_.rules().names().size());
    for (const ReportText& text : row.texts) {
      const std::vector<bool>& flags = labeller_.labels(text.text);
      for (std::size_t i = 0; i < flags.size(); ++i) raised[i] = raised[i] || flags[i];
      FIDUCIAL_TRY_DONE(explain(row, text));
    }
    std::vector<std::string> cells{std::string(row.id)};
    for (const bool flag : raised) cells.emplace_back(flag ? "1" : "0");
    FIDUCIAL_TRY_DONE(labels_.write(csv_row(cells)));
    return ItemStatus{};
  }

 private:
  Outcome explain(const ReportRow& row, const ReportText& text) {
    if (explanations_ == nullptr) return done();
    for (const LabelEvidence& why : labeller_.evidence(text.text)) {
      const Json line = evidence_json(row, text, why, labeller_.rules());
      FIDUCIAL_TRY_DONE(explanations_->write(line.compact() + "\n"));
    }
    return done();
  }

  OutputFile& labels_;
  OutputFile* explanations_;
  ReportLabeller labeller_;
};

Outcome run_labels(StageCall& call) {
  FIDUCIAL_TRY(OutputFile * labels, call.output().add_main(".csv"));
  OutputFile* explanations = nullptr;
  if (call.flag("explain")) {
    FIDUCIAL_TRY(explanations, call.output().add("explain.jsonl"));
  }
  LabelRun run(*labels, explanations);
  FIDUCIAL_TRY_DONE(run.begin());
  return for_each_report(call, {.text_column = call.text("text-column")},
                         [&run](const ReportRow& row) { return run.add(row); });
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
                       .kind = StageOption::Kind::flag}},
          .run = run_labels};
}

}  // namespace fiducial
