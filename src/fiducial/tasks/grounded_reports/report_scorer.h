#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/case_budget.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/grounded_reports/grounded_references.h"
#include "fiducial/tasks/grounded_reports/grounded_report.h"
#include "fiducial/tasks/grounded_reports/mask_places.h"

namespace fiducial {

// What scoring the report of a case gives.
struct GroundedReportScore {
  std::string name;
  double reference_facts = 0;
  double predicted_facts = 0;
  double matched = 0;
  double grounded = 0;
  double aligned = 0;
  double dice = 0;
  double measured = 0;  // matched facts that have a Dice
  bool is_missing = false;
  std::int64_t without_facts = 0;  // reference sentences that no rule reads a fact from
  std::vector<HashedFile> reference_files;
  std::vector<HashedFile> prediction_files;
  std::optional<Digest> organs;
  std::vector<Remark> remarks;
};

// Nothing is lost on the way to JSON and back.
Json to_json(const GroundedReportScore& score);
Result<GroundedReportScore> parse_report_score(const Json& value);

// Scores the reports of a call one by one; safe from several threads.
class ReportScorer {
 public:
  using Scored = GroundedReportScore;

  // What may be known of a case beside its report, and what its masks may cost.
  struct Sources {
    OrganMasks* organs = nullptr;
    CaseLimits limits = {};
  };

  ReportScorer(const GroundedReports& reports, const PredictionFiles& files,
               const ReferenceReports& references, const Sources& sources)
      : reports_(reports),
        files_(files),
        references_(references),
        organs_(sources.organs),
        limits_(sources.limits) {}

  std::size_t size() const { return references_.reports.size(); }
  const std::string& name(std::size_t at) const { return references_.reports[at].name; }
  Result<GroundedReportScore> score(std::size_t at) const;
  // Whether the files of an earlier score have the bytes they had then.
  bool still_true(const GroundedReportScore& earlier, std::size_t at) const;
  static Json to_json(const GroundedReportScore& score) { return fiducial::to_json(score); }
  static Result<GroundedReportScore> parse(const Json& value) { return parse_report_score(value); }

 private:
  const GroundedReports& reports_;
  const PredictionFiles& files_;
  const ReferenceReports& references_;
  OrganMasks* organs_;
  CaseLimits limits_;
};

}  // namespace fiducial
