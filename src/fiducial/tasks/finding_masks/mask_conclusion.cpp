#include <algorithm>
#include <map>
#include <set>

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

// Cases that ask for the same rearrangement, and what it would give them.
struct Wish {
  double as_is = 0;
  double rearranged = 0;
  Json cases;
  std::set<std::string> patients;
  std::size_t count = 0;

  void add(const CaseScore& scored, double dice_as_is, double dice_rearranged) {
    as_is += dice_as_is;
    rearranged += dice_rearranged;
    cases.push(scored.name);
    patients.insert(scored.patient);
    ++count;
  }
  double mean(double sum) const { return sum / static_cast<double>(count); }
};
using Wishes = std::map<std::string, Wish>;

const Wishes::value_type& commonest(const Wishes& wishes) {
  return *std::max_element(wishes.begin(), wishes.end(),
                           [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
}

// The rearrangement of axes that most cases ask for, if any does.
Json orientation_json(const std::vector<CaseScore>& cases) {
  Wishes wishes;
  for (const CaseScore& scored : cases) {
    if (!scored.orientation) continue;
    const OrientationVerdict& verdict = *scored.orientation;
    wishes[verdict.transform.name()].add(scored, verdict.dice_as_is, verdict.dice_transformed);
  }
  if (wishes.empty()) return {};
  const auto& [name, wish] = commonest(wishes);
  return Json::object({{"transform", name},
                       {"dice_as_is", wish.mean(wish.as_is)},
                       {"dice_transformed", wish.mean(wish.rearranged)},
                       {"cases", wish.cases}});
}

// Tells the order of findings that most cases ask for, if any does, without naming a case.
void add_order(ScoreRun& run, const std::vector<CaseScore>& cases) {
  Wishes wishes;
  for (const CaseScore& scored : cases) {
    if (!scored.order) continue;
    wishes[scored.order->name()].add(scored, scored.order->dice_as_is, scored.order->dice_reordered);
  }
  if (wishes.empty()) return;
  const auto& [name, wish] = commonest(wishes);
  run.blocks.push_back({"finding_order",
                        Json::object({{"order", name},
                                      {"cases", static_cast<std::int64_t>(wish.count)},
                                      {"dice_as_is", wish.mean(wish.as_is)},
                                      {"dice_reordered", wish.mean(wish.rearranged)}}),
                        static_cast<std::int64_t>(wish.patients.size())});
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
  add_order(run, cases);
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
