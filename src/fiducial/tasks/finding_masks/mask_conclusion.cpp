#include <algorithm>
#include <map>

#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/tasks/finding_masks/mask_options.h"
#include "fiducial/tasks/finding_masks/mask_run.h"
#include "fiducial/tasks/finding_masks/rexrank_json.h"

namespace fiducial {

namespace {

std::int64_t remarks_with(const ScoreRun& run, std::string_view code) {
  return std::count_if(run.remarks.begin(), run.remarks.end(),
                       [code](const Remark& remark) { return remark.code == code; });
}

Json mask_counts(const ScoreRun& run, const std::vector<CaseScore>& cases) {
  std::int64_t ties = 0;
  std::map<CaseStatus, std::int64_t> statuses;
  for (const CaseScore& scored : cases) {
    ++statuses[run.primary() == Scorer::strict ? scored.status : scored.official_status];
    for (const FindingScore& finding : scored.findings) {
      ties += finding.official_matching && finding.official_matching->had_tie ? 1 : 0;
    }
  }
  return Json::object({{"cases", static_cast<std::int64_t>(cases.size())},
                       {"findings", static_cast<std::int64_t>(run.units.size())},
                       {"missing", statuses[CaseStatus::missing]},
                       {"failed", statuses[CaseStatus::failed]},
                       {"unknown_files", remarks_with(run, unknown_file_code)},
                       {"findings_with_ties", ties}});
}

// The rearrangement that most cases ask for, if any does.
Json orientation_json(const std::vector<CaseScore>& cases) {
  std::map<std::string, std::vector<const CaseScore*>> by_transform;
  for (const CaseScore& scored : cases) {
    if (scored.orientation) by_transform[scored.orientation->transform.name()].push_back(&scored);
  }
  if (by_transform.empty()) return {};
  const auto commonest =
      std::max_element(by_transform.begin(), by_transform.end(),
                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  double as_is = 0;
  double transformed = 0;
  Json names;
  for (const CaseScore* scored : commonest->second) {
    as_is += scored->orientation->dice_as_is;
    transformed += scored->orientation->dice_transformed;
    names.push(scored->name);
  }
  const auto count = static_cast<double>(commonest->second.size());
  return Json::object({{"transform", commonest->first},
                       {"dice_as_is", as_is / count},
                       {"dice_transformed", transformed / count},
                       {"cases", std::move(names)}});
}

std::string stop_of(const std::vector<CaseScore>& cases) {
  for (const CaseScore& scored : cases) {
    if (scored.official_status == CaseStatus::failed)
      return std::string(official_stops_at) + scored.name + ": " + scored.official_reason;
  }
  return "";
}

}  // namespace

Outcome conclude_masks(ScoreRun& run) {
  FIDUCIAL_TRY(const MaskPlan plan, mask_plan_of(run));
  std::vector<CaseScore> cases;
  for (const RunCase& entry : run.cases) {
    FIDUCIAL_TRY(const Json evidence, parse_json(entry.evidence));
    FIDUCIAL_TRY(CaseScore scored, parse_case_score(evidence, plan));
    cases.push_back(std::move(scored));
  }
  run.counts = mask_counts(run, cases);
  run.orientation = orientation_json(cases);
  if (plan.partial_labels)
    run.blocks.push_back({"labels", "partial", static_cast<std::int64_t>(run.cases.size())});
  if (!run.wants(Scorer::official)) return done();
  run.official_stopped = stop_of(cases);
  run.official_note = plan.conformance.empty() ? "unconfirmed" : "confirmed by " + plan.conformance;
  const Json rexrank = rexrank_json(plan, cases);
  if (!rexrank.is_null()) run.details.push_back({"rexrank.json", rexrank.pretty()});
  return done();
}

}  // namespace fiducial
