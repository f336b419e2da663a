#include "fiducial/tasks/grounded_reports/report_texts.h"

#include "fiducial/base/plain_text.h"
#include "fiducial/metrics/text_metric.h"

namespace fiducial {

namespace {

std::string report_text(const GroundedReports& reports, const std::string& name) {
  const auto found = reports.by_case.find(name);
  if (found == reports.by_case.end()) return "";
  return joined(found->second, " ", [](const GroundedSentence& sentence) { return sentence.text; });
}

}  // namespace

ScoreFamily report_text_scores(const ReferenceReports& references, const GroundedReports& reports) {
  const std::size_t count = references.reports.size();
  ScoreFamily out{.name = "report_texts",
                  .absence = "no reference text",
                  .counted = "cases",
                  .counts = UnitValues(count),
                  .failed = UnitValues(count)};
  std::vector<std::size_t> at;  // of what has a reference
  std::vector<std::string> wanted;
  std::vector<std::string> said;
  for (std::size_t i = 0; i < count; ++i) {
    const ReferenceReport& report = references.reports[i];
    if (report.text.empty()) continue;
    at.push_back(i);
    wanted.push_back(report.text);
    said.push_back(report_text(reports, report.name));
    out.counts[i] = 1;
    out.failed[i] = reports.by_case.contains(report.name) ? 0 : 1;
  }
  CiderScorer corpus;
  for (const std::string& text : references.corpus) corpus.add_reference(text);
  std::optional<TextPairs> pairs;
  if (!at.empty()) pairs.emplace(std::move(wanted), std::move(said)).use_corpus(&corpus);
  for (const TextMetric* metric : text_metrics_of("grounded_reports")) {
    if (metric->values == nullptr || metric->needs_synonyms) continue;
    UnitValues& sums = out.add(metric->slot, metric->contract).sums;
    const std::vector<double> values = pairs ? metric->values(*pairs) : std::vector<double>();
    for (std::size_t i = 0; i < values.size(); ++i) sums[at[i]] = values[i];
  }
  return out;
}

}  // namespace fiducial
