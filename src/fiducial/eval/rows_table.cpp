#include <map>

#include "fiducial/eval/finding_groups.h"
#include "fiducial/eval/outputs.h"
#include "fiducial/eval/row_columns.h"

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

// Status, value and reason of a score. A score that is not there is undefined without a reason.
void tell(ScoreRow& row, const CaseScore& scored, const Score* score) {
  const bool strict = row.scorer == Scorer::strict;
  const CaseStatus status = strict ? scored.status : scored.official_status;
  const bool defined = score != nullptr && score->defined();
  if (defined) row.value = score->value();
  if (status != CaseStatus::scored) {
    row.status = to_string(status);
    row.reason = strict ? scored.reason : scored.official_reason;
  } else if (defined) {
    row.status = "scored";
  } else {
    row.status = "undefined";
    row.reason = score == nullptr ? "" : score->reason();
  }
}

ScoreRow row_of(const CaseScore& scored, const FindingScore& finding, const PlannedMetric& planned,
                const Score* score) {
  ScoreRow out{.case_name = scored.name,
               .patient = scored.patient,
               .finding = finding.index,
               .category = finding.category,
               .scorer = planned.metric->contract.scorer,
               .metric = planned.id,
               .version = planned.metric->contract.version};
  tell(out, scored, score);
  return out;
}

}  // namespace

Table rows_table(const ScoredRun& run) {
  const GroupLabels groups(run.cases);
  RowColumns columns;
  std::vector<Column::Strings> labels(groups.kinds().size());
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    const std::vector<PlannedMetric> metrics = run.plan.metrics_of(scorer);
    for (const CaseScore& scored : run.cases) {
      for (const FindingScore& finding : scored.findings) {
        const std::vector<Score>& scores = scorer == Scorer::strict ? finding.strict : finding.official;
        for (std::size_t i = 0; i < metrics.size(); ++i) {
          columns.add(row_of(scored, finding, metrics[i], scores.empty() ? nullptr : &scores[i]));
          for (std::size_t kind = 0; kind < labels.size(); ++kind) {
            labels[kind].emplace_back(groups.label(finding, kind));
          }
        }
      }
    }
  }
  std::vector<Column> further;
  for (std::size_t kind = 0; kind < labels.size(); ++kind) {
    further.push_back({group_column_prefix + groups.kinds()[kind], std::move(labels[kind])});
  }
  return columns.take(std::move(further));
}

}  // namespace fiducial
