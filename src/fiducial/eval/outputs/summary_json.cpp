#include <map>

#include "fiducial/base/version.h"
#include "fiducial/eval/outputs/write_scores.h"

namespace fiducial {

namespace {

Json ends_of(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json();
}

Json slot_json(const SlotValue& slot) {
  const MetricContract& contract = *slot.column->contract;
  Json out = Json::object({{"value", slot.value ? Json(*slot.value) : Json()}, {"metric", slot.column->id}});
  if (!slot.value) out.set("reason", slot.reason);
  if (slot.floor) out.set("floor", *slot.floor);
  if (slot.ceiling) out.set("ceiling", *slot.ceiling);
  out.set("ci95", ends_of(slot.ci95));
  if (!slot.no_interval.empty()) out.set("no_interval", slot.no_interval);
  if (slot.wilson95) out.set("wilson95", ends_of(slot.wilson95)).set("correct", slot.correct);
  out.set("n", slot.n)
      .set("counted", std::string(counted_by(slot.measure->statistic, slot.measure->counted)))
      .set("n_undefined", slot.n_undefined)
      .set("n_failed", slot.n_failed);
  if (slot.measure->corpus) out.set("over", "corpus");
  if (contract.unit != "1") out.set("unit", contract.unit);
  out.set("better", to_string(contract.better)).set("version", contract.version);
  return out;
}

Json slots_json(const PooledGroup& group, Scorer scorer) {
  Json out = Json::object({});
  for (const SlotValue& slot : group.slots(scorer)) out.set(slot.measure->slot, slot_json(slot));
  return out;
}

Json pooled_groups_json(const ScoreRun& run, const PooledRun& pooled, Scorer scorer) {
  Json out = Json::object({});
  for (const GroupKind& kind : run.groups) {
    Json labels = Json::object({});
    for (const PooledGroup& group : pooled.groups) {
      if (group.kind == kind.kind) labels.set(group.label, slots_json(group, scorer));
    }
    if (!run.is_sparse || !labels.as_object()->empty()) out.set(kind.kind, std::move(labels));
  }
  return out;
}

// Of one code no more oddities are listed: an archive can have any number of files that belong to no case.
constexpr std::int64_t oddities_listed = 100;

// How many oddities of each code are not listed.
using LeftOut = std::map<std::string, std::int64_t>;

Json remarks_json(const ScoreRun& run, LeftOut& left_out) {
  Json out{Json::Array{}};
  std::map<std::string, std::int64_t> listed;
  for (const Remark& each : run.remarks) {
    if (each.kind == Remark::Kind::oddity && ++listed[each.code] > oddities_listed) {
      ++left_out[each.code];
      continue;
    }
    Json told = Json::object({{"case", each.about}, {"code", each.code}, {"text", each.text}});
    if (each.kind == Remark::Kind::failure) told.set("failed", true);
    out.push(std::move(told));
  }
  return out;
}

Json provenance_json(const ScoreRun& run, const Digest& plan_digest) {
  Json out = Json::object(
      {{"tool", "fiducial"}, {"tool_version", tool_version}, {"plan_sha256", plan_digest.hex()}});
  if (!run.min_group) out.set("dataset_sha256", run.dataset.digest.hex());
  if (run.predictions) out.set("predictions_sha256", run.predictions->digest.hex());
  out.set("seed", run.seed)
      .set("resamples", run.resamples)
      .set("interval",
           std::string("percentile bootstrap over ") + (run.resamples_cases ? "cases" : "patients"));
  return run.official_note.empty() ? out : out.set("official", run.official_note);
}

}  // namespace

Json summary_json(const ScoreRun& run, const PooledRun& pooled, const Digest& plan_digest) {
  const Scorer primary = run.primary();
  const bool has_both = run.mode == ScoreMode::both;
  Json out = Json::object({{"schema", "fiducial.scores/1"},
                           {"benchmark", run.benchmark},
                           {"task", run.task},
                           {"split", run.split},
                           {"mode", to_string(primary)},
                           {"system", run.system}});
  out.set("metrics", slots_json(pooled.all, primary));
  if (has_both) out.set("official", slots_json(pooled.all, Scorer::official));
  if (!run.baselines.is_null()) out.set("baselines", run.baselines);
  if (!run.group_columns.is_null()) out.set("group_by", run.group_columns);
  out.set("groups", pooled_groups_json(run, pooled, primary));
  if (has_both) out.set("official_groups", pooled_groups_json(run, pooled, Scorer::official));
  for (const Block& block : run.blocks) out.set(block.name, block.value);
  LeftOut left_out;
  Json remarks = remarks_json(run, left_out);
  out.set("counts", run.counts).set("orientation", run.orientation).set("remarks", std::move(remarks));
  if (!left_out.empty()) {
    Json more = Json::object({});
    for (const auto& [code, count] : left_out) more.set(code, count);
    out.set("remarks_left_out", std::move(more));
  }
  out.set("provenance", provenance_json(run, plan_digest));
  return out;
}

}  // namespace fiducial
