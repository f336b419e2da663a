#include "fiducial/eval/outputs.h"

namespace fiducial {

namespace {

// The columns of rows.parquet while they are filled.
class RowColumns {
 public:
  void add(const CaseScore& scored, const FindingScore& finding, const PlannedMetric& planned,
           const Score* score) {
    const Scorer scorer = planned.metric->contract.scorer;
    const CaseStatus status = scorer == Scorer::strict ? scored.status : scored.official_status;
    const std::string& reason = scorer == Scorer::strict ? scored.reason : scored.official_reason;
    case_.emplace_back(scored.name);
    patient_.emplace_back(scored.patient);
    finding_.emplace_back(finding.index);
    category_.emplace_back(finding.category);
    scorer_.emplace_back(to_string(scorer));
    metric_.emplace_back(planned.id);
    version_.emplace_back(planned.metric->contract.version);
    const bool defined = score != nullptr && score->defined();
    if (status != CaseStatus::scored) {
      status_.emplace_back(to_string(status));
      reason_.emplace_back(reason);
    } else if (defined) {
      status_.emplace_back("scored");
      reason_.emplace_back(std::nullopt);
    } else {
      status_.emplace_back("undefined");
      reason_.emplace_back(score == nullptr ? "" : score->reason());
    }
    value_.push_back(defined ? std::optional(score->value()) : std::nullopt);
  }

  Table take() {
    return {{{"case", std::move(case_)},
             {"patient", std::move(patient_)},
             {"finding", std::move(finding_)},
             {"category", std::move(category_)},
             {"scorer", std::move(scorer_)},
             {"metric", std::move(metric_)},
             {"version", std::move(version_)},
             {"status", std::move(status_)},
             {"value", std::move(value_)},
             {"reason", std::move(reason_)}},
            {{"schema", "fiducial.rows/1"}}};
  }

 private:
  Column::Strings case_, patient_, category_, scorer_, metric_, status_, reason_;
  Column::Integers finding_, version_;
  Column::Numbers value_;
};

}  // namespace

Table rows_table(const ScoredRun& run) {
  RowColumns columns;
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    const std::vector<PlannedMetric> metrics = run.plan.metrics_of(scorer);
    for (const CaseScore& scored : run.cases) {
      for (const FindingScore& finding : scored.findings) {
        const std::vector<Score>& scores = scorer == Scorer::strict ? finding.strict : finding.official;
        for (std::size_t i = 0; i < metrics.size(); ++i) {
          columns.add(scored, finding, metrics[i], scores.empty() ? nullptr : &scores[i]);
        }
      }
    }
  }
  return columns.take();
}

}  // namespace fiducial
