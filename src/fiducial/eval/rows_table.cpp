#include <map>

#include "fiducial/eval/finding_groups.h"
#include "fiducial/eval/outputs.h"

namespace fiducial {

namespace {

// The groups that findings belong to, kind by kind. The category has a column of its own.
class GroupLabels {
 public:
  explicit GroupLabels(const std::vector<CaseScore>& cases) {
    std::vector<FindingInCase> views;
    for (const CaseScore& scored : cases) {
      for (const FindingScore& finding : scored.findings) views.push_back({&scored, &finding, 0});
    }
    for (const auto& [kind, groups] : grouped(views)) {
      if (kind == "category") continue;
      kinds_.push_back(kind);
      for (const FindingGroup& group : groups) {
        for (const FindingInCase& view : group.findings) labels_[view.finding].push_back(group.label);
      }
    }
  }

  const std::vector<std::string>& kinds() const { return kinds_; }
  const std::string& label(const FindingScore& finding, std::size_t kind) const {
    return labels_.at(&finding)[kind];
  }

 private:
  std::vector<std::string> kinds_;
  std::map<const FindingScore*, std::vector<std::string>> labels_;
};

// The columns of rows.parquet while they are filled.
class RowColumns {
 public:
  explicit RowColumns(const GroupLabels& groups) : groups_(groups), labels_(groups.kinds().size()) {}

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
    for (std::size_t kind = 0; kind < labels_.size(); ++kind) {
      labels_[kind].emplace_back(groups_.label(finding, kind));
    }
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
    Table out{{{"case", std::move(case_)},
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
    for (std::size_t kind = 0; kind < labels_.size(); ++kind) {
      out.columns.push_back({"group_" + groups_.kinds()[kind], std::move(labels_[kind])});
    }
    return out;
  }

 private:
  const GroupLabels& groups_;
  std::vector<Column::Strings> labels_;  // one a kind of group
  Column::Strings case_, patient_, category_, scorer_, metric_, status_, reason_;
  Column::Integers finding_, version_;
  Column::Numbers value_;
};

}  // namespace

Table rows_table(const ScoredRun& run) {
  const GroupLabels groups(run.cases);
  RowColumns columns(groups);
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
