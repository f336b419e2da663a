#include <algorithm>
#include <map>

#include "fiducial/eval/aggregate.h"
#include "fiducial/eval/finding_groups.h"
#include "fiducial/eval/outputs.h"

namespace fiducial {

namespace {

Json to_json(const SlotValue& slot) {
  Json out = Json::object({{"value", slot.value ? Json(*slot.value) : Json()}, {"metric", slot.metric}});
  if (!slot.value) out.set("reason", slot.reason);
  out.set("ci95", slot.ci95 ? Json::array({slot.ci95->low, slot.ci95->high}) : Json());
  out.set("n", slot.n).set("n_undefined", slot.n_undefined).set("n_failed", slot.n_failed);
  if (slot.unit != "1") out.set("unit", slot.unit);
  return out.set("better", to_string(slot.better)).set("version", slot.version);
}

Json to_json(const Slots& slots) {
  Json out = Json::object({});
  for (const SlotValue& slot : slots) out.set(slot.slot, to_json(slot));
  return out;
}

Json groups_json(const Aggregator& aggregator, Scorer scorer) {
  Json out = Json::object({});
  for (const auto& [kind, groups] : grouped(aggregator.findings())) {
    Json labels = Json::object({});
    for (const FindingGroup& group : groups) {
      labels.set(group.label, to_json(aggregator.slots(scorer, group.findings)));
    }
    out.set(kind, std::move(labels));
  }
  return out;
}

// The rules that fill "metrics": strict ones unless only the official were asked for.
Scorer primary_scorer(const ScoredRun& run) {
  return run.plan.mode == ScoreMode::official ? Scorer::official : Scorer::strict;
}

CaseStatus status_of(const CaseScore& scored, Scorer scorer) {
  return scorer == Scorer::strict ? scored.status : scored.official_status;
}

std::int64_t cases_with(const ScoredRun& run, CaseStatus status) {
  return std::count_if(run.cases.begin(), run.cases.end(), [&](const CaseScore& scored) {
    return status_of(scored, primary_scorer(run)) == status;
  });
}

Json counts_json(const ScoredRun& run) {
  std::int64_t findings = 0;
  std::int64_t ties = 0;
  for (const CaseScore& scored : run.cases) {
    findings += static_cast<std::int64_t>(scored.findings.size());
    for (const FindingScore& finding : scored.findings) {
      ties += finding.official_matching && finding.official_matching->had_tie ? 1 : 0;
    }
  }
  return Json::object({{"cases", static_cast<std::int64_t>(run.cases.size())},
                       {"findings", findings},
                       {"missing", cases_with(run, CaseStatus::missing)},
                       {"failed", cases_with(run, CaseStatus::failed)},
                       {"unknown_files", static_cast<std::int64_t>(run.unknown_files.size())},
                       {"findings_with_ties", ties}});
}

// Cases whose prediction was missing, failed, or of which something should be known.
Json case_remarks(const ScoredRun& run) {
  Json out = Json(Json::Array{});
  const Scorer primary = primary_scorer(run);
  for (const CaseScore& scored : run.cases) {
    const CaseStatus status = status_of(scored, primary);
    if (status != CaseStatus::scored) {
      const std::string& reason = primary == Scorer::strict ? scored.reason : scored.official_reason;
      out.push(Json::object({{"case", scored.name}, {"code", to_string(status)}, {"text", reason}}));
    }
    for (const Note& note : scored.notes) {
      out.push(Json::object({{"case", scored.name}, {"code", note.code}, {"text", note.text}}));
    }
  }
  for (const std::string& name : run.unknown_files) {
    out.push(Json::object(
        {{"case", name}, {"code", "unknown_file"}, {"text", "belongs to no case of the split"}}));
  }
  return out;
}

// The rearrangement that most cases ask for, if any does.
Json orientation_json(const ScoredRun& run) {
  std::map<std::string, std::vector<const CaseScore*>> by_transform;
  for (const CaseScore& scored : run.cases) {
    if (scored.orientation) by_transform[scored.orientation->transform.name()].push_back(&scored);
  }
  if (by_transform.empty()) return {};
  const auto commonest =
      std::max_element(by_transform.begin(), by_transform.end(),
                       [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  double as_is = 0;
  double transformed = 0;
  Json cases;
  for (const CaseScore* scored : commonest->second) {
    as_is += scored->orientation->dice_as_is;
    transformed += scored->orientation->dice_transformed;
    cases.push(scored->name);
  }
  const auto count = static_cast<double>(commonest->second.size());
  return Json::object({{"transform", commonest->first},
                       {"dice_as_is", as_is / count},
                       {"dice_transformed", transformed / count},
                       {"cases", std::move(cases)}});
}

Json provenance_json(const ScoredRun& run, const Digest& plan_digest) {
  Json out = Json::object({{"tool", "fiducial"},
                           {"tool_version", FIDUCIAL_VERSION},
                           {"plan_sha256", plan_digest.hex()},
                           {"dataset_sha256", run.dataset_digest.hex()},
                           {"seed", run.plan.seed},
                           {"resamples", run.plan.resamples},
                           {"interval", "percentile bootstrap over patients"}});
  if (!run.plan.wants(Scorer::official)) return out;
  return out.set("official",
                 run.plan.conformance.empty() ? "unconfirmed" : "confirmed by " + run.plan.conformance);
}

}  // namespace

Json summary_json(const ScoredRun& run, const Digest& plan_digest) {
  const Aggregator aggregator(run.plan, run.cases);
  const Scorer primary = primary_scorer(run);
  Json out = Json::object({{"schema", "fiducial.scores/1"},
                           {"benchmark", run.plan.benchmark},
                           {"split", run.plan.split},
                           {"mode", to_string(primary)},
                           {"system", run.plan.system}});
  out.set("metrics", to_json(aggregator.slots(primary, aggregator.findings())));
  if (run.plan.mode == ScoreMode::both) {
    out.set("official", to_json(aggregator.slots(Scorer::official, aggregator.findings())));
  }
  if (run.plan.partial_labels) out.set("labels", "partial");
  if (!run.plan.group_by.empty()) {
    Json columns = Json(Json::Array{});
    for (const GroupColumn& column : run.plan.group_by) columns.push(column.column);
    out.set("group_by", std::move(columns));
  }
  out.set("groups", groups_json(aggregator, primary));
  if (run.plan.mode == ScoreMode::both) out.set("official_groups", groups_json(aggregator, Scorer::official));
  out.set("counts", counts_json(run));
  out.set("orientation", orientation_json(run));
  out.set("remarks", case_remarks(run));
  return out.set("provenance", provenance_json(run, plan_digest));
}

}  // namespace fiducial
