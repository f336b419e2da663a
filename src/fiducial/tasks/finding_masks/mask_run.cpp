#include "fiducial/tasks/finding_masks/mask_run.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/metrics/metric.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/tasks/finding_masks/finding_groups.h"
#include "fiducial/tasks/finding_masks/mask_slots.h"

namespace fiducial {

namespace {

CaseStatus status_of(const CaseScore& scored, Scorer scorer) {
  return scorer == Scorer::strict ? scored.status : scored.official_status;
}

const std::string& reason_of(const CaseScore& scored, Scorer scorer) {
  return scorer == Scorer::strict ? scored.reason : scored.official_reason;
}

const std::vector<Score>& scores_of(const FindingScore& finding, Scorer scorer) {
  return scorer == Scorer::strict ? finding.strict : finding.official;
}

const std::vector<Score>& best_scores_of(const FindingScore& finding, Scorer scorer) {
  return scorer == Scorer::strict ? finding.strict_best : finding.official_best;
}

// The findings of all cases, in the order of the units.
template <typename Visitor>
void visit_findings(const std::vector<CaseScore>& cases, const Visitor& visit) {
  std::size_t unit = 0;
  for (const CaseScore& scored : cases) {
    for (const FindingScore& finding : scored.findings) visit(unit++, scored, finding);
  }
}

// Columns of one scorer. A case that is left out there has no scores, and is failed rather than undefined.
class ColumnWriter {
 public:
  ColumnWriter(ScoreRun& run, const std::vector<CaseScore>& cases, Scorer scorer)
      : run_(run), cases_(cases), scorer_(scorer) {
    UnitValues asked(run.units.size()), failed(run.units.size());
    visit_findings(cases, [&](std::size_t unit, const CaseScore& scored, const FindingScore& finding) {
      asked[unit] = scores_of(finding, scorer_).empty() ? 0 : 1;
      failed[unit] = status_of(scored, scorer_) == CaseStatus::scored ? 0 : 1;
    });
    asked_ = shared(std::move(asked));
    failed_ = shared(std::move(failed));
  }

  void add(const PlannedMetric& planned, std::size_t at) {
    UnitValues sums(run_.units.size()), weights(run_.units.size()), marks(run_.units.size()),
        excused(run_.units.size());
    bool is_any_excused = false;
    visit_findings(cases_, [&](std::size_t unit, const CaseScore& scored, const FindingScore& finding) {
      const std::vector<Score>& scores = scores_of(finding, scorer_);
      const Score* score = scores.empty() ? nullptr : &scores[at];
      if (score != nullptr && score->defined()) {
        sums[unit] = score->value();
        weights[unit] = 1;
      }
      marks[unit] = mark_of(scored, score);
      excused[unit] = score != nullptr && score->reason() == partial_labels ? 1 : 0;
      is_any_excused |= excused[unit] > 0;
    });
    const bool has_ceiling = planned.metric->contract.has_ceiling;
    Values best = has_ceiling ? best_values(best_at_++) : Values{};
    run_.add({.contract = &planned.metric->contract,
              .id = planned.id,
              .scorer = scorer_,
              .sums = shared(std::move(sums)),
              .weights = shared(std::move(weights)),
              .asked = asked_,
              .failed = failed_,
              .marks = shared(std::move(marks)),
              .best_sums = std::move(best.sums),
              .best_weights = std::move(best.weights),
              .excused = is_any_excused ? shared(std::move(excused)) : nullptr});
  }

 private:
  struct Values {
    SharedValues sums;
    SharedValues weights;
  };

  // What references get as their own predictions; `at` counts the metrics that have a ceiling.
  Values best_values(std::size_t at) const {
    UnitValues sums(run_.units.size()), weights(run_.units.size());
    visit_findings(cases_, [&](std::size_t unit, const CaseScore&, const FindingScore& finding) {
      const std::vector<Score>& scores = best_scores_of(finding, scorer_);
      if (at >= scores.size() || !scores[at].defined()) return;
      sums[unit] = scores[at].value();
      weights[unit] = 1;
    });
    return {shared(std::move(sums)), shared(std::move(weights))};
  }

  std::uint8_t mark_of(const CaseScore& scored, const Score* score) {
    const CaseStatus status = status_of(scored, scorer_);
    if (status != CaseStatus::scored)
      return run_.mark({std::string(to_string(status)), reason_of(scored, scorer_)});
    if (score != nullptr && score->defined()) return 0;
    return run_.mark({"undefined", score == nullptr ? "" : std::string(score->reason())});
  }

  ScoreRun& run_;
  const std::vector<CaseScore>& cases_;
  Scorer scorer_;
  SharedValues asked_;
  SharedValues failed_;
  std::size_t best_at_ = 0;  // among the metrics that have a ceiling
};

void add_remarks(ScoreRun& run, const CaseScore& scored) {
  const CaseStatus status = status_of(scored, run.primary());
  if (status != CaseStatus::scored) {
    run.remarks.push_back({scored.name, std::string(to_string(status)), reason_of(scored, run.primary()),
                           Remark::Kind::failure});
    ++run.failures;
  }
  for (const Note& note : scored.notes)
    run.remarks.push_back({scored.name, note.code, note.text, Remark::Kind::note});
  if (!scored.order) return;
  run.remarks.push_back({scored.name, "finding_order",
                         "the findings fit better in the order \"" + scored.order->name() + "\": Dice " +
                             fixed(scored.order->dice_reordered, 4) + " instead of " +
                             fixed(scored.order->dice_as_is, 4)});
}

void add_case(ScoreRun& run, const CaseScore& scored) {
  const auto at = static_cast<std::uint32_t>(run.cases.size());
  run.cases.push_back({scored.name, scored.patient, 0, to_json(scored).compact()});
  run.files.push_back({.name = scored.name,
                       .reference = scored.reference_file,
                       .reference_digest = scored.reference_digest,
                       .prediction_digest = scored.prediction_digest,
                       .ignored_digest = scored.ignored_digest,
                       .spacing_mm = scored.spacing_mm});
  for (const FindingScore& finding : scored.findings) {
    run.units.push_back({at, static_cast<std::uint32_t>(finding.index)});
    run.categories.push_back(finding.category);
  }
  add_remarks(run, scored);
}

}  // namespace

void add_masks(ScoreRun& run, const MaskPlan& plan, const std::vector<CaseScore>& cases) {
  run.rules = to_json(plan);
  for (const CaseScore& scored : cases) add_case(run, scored);
  run.groups = finding_groups(cases);
  run.attempts = static_cast<std::int64_t>(cases.size());
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    ColumnWriter writer(run, cases, scorer);
    const std::vector<PlannedMetric> metrics = plan.metrics_of(scorer);
    const std::size_t first = run.columns.size();
    for (std::size_t i = 0; i < metrics.size(); ++i) writer.add(metrics[i], i);
    add_mask_slots(run, plan, scorer, first);
  }
}

}  // namespace fiducial
