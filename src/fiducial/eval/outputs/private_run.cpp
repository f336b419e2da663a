#include "fiducial/eval/outputs/private_run.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/told_groups.h"

namespace fiducial {

namespace {

std::vector<Remark> counted(const std::vector<Remark>& remarks) {
  std::vector<Remark> out;
  std::vector<std::int64_t> counts;
  for (const Remark& remark : remarks) {
    const auto known = std::find_if(out.begin(), out.end(), [&remark](const Remark& one) {
      return one.code == remark.code && one.kind == remark.kind;
    });
    const auto at = static_cast<std::size_t>(known - out.begin());
    if (known == out.end()) {
      out.push_back({withheld, remark.code, "", remark.kind});
      counts.push_back(0);
    }
    ++counts[at];
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i].text = decimal(counts[i]) + " in all";
  return out;
}

Json unnamed_orientation(const Json& verdict) {
  if (verdict.is_null()) return verdict;
  Json out = verdict;
  return out.set("cases", Json::Array(verdict.find("cases")->as_array()->size(), Json(withheld)));
}

std::string few_patients(int min_group) { return "withheld: fewer than " + decimal(min_group) + " patients"; }

void withhold(SlotValue& slot, int min_group) {
  slot.value.reset();
  slot.ci95.reset();
  slot.wilson95.reset();
  slot.ceiling.reset();
  slot.correct = slot.n = slot.n_undefined = slot.n_failed = 0;
  slot.reason = few_patients(min_group);
}

void withhold_few(PooledGroup& group, int min_group) {
  for (std::vector<SlotValue>& slots : group.by_scorer) {
    for (SlotValue& slot : slots) {
      if (slot.patients < min_group) withhold(slot, min_group);
    }
  }
}

// The published scorer stops at a certain case; which one is not told.
void unname_reasons(const std::string& naming, const std::string& unnamed, PooledGroup& group) {
  for (std::vector<SlotValue>& slots : group.by_scorer) {
    for (SlotValue& slot : slots) {
      if (slot.reason == naming) slot.reason = unnamed;
    }
  }
}

// Drops the groups that would tell too much.
void keep_told(const ScoreRun& run, int min_group, PooledRun& pooled) {
  std::vector<OfferedGroup> offered;
  for (const PooledGroup& group : pooled.groups) {
    const auto kind = std::find_if(run.groups.begin(), run.groups.end(),
                                   [&](const GroupKind& each) { return each.kind == group.kind; });
    const auto found = std::find_if(kind->groups.begin(), kind->groups.end(),
                                    [&](const LabelledUnits& each) { return each.label == group.label; });
    offered.push_back({static_cast<std::size_t>(kind - run.groups.begin()), &found->members});
  }
  const std::vector<bool> told = told_groups(run.pooled_units(), offered, min_group);
  std::vector<PooledGroup> kept;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (!told[i]) continue;
    withhold_few(pooled.groups[i], min_group);
    kept.push_back(std::move(pooled.groups[i]));
  }
  pooled.groups = std::move(kept);
}

}  // namespace

ScoreRun private_run(const ScoreRun& run, int min_group, PooledRun& pooled) {
  keep_told(run, min_group, pooled);
  withhold_few(pooled.all, min_group);
  ScoreRun out = run;
  out.min_group = min_group;
  out.files.clear();
  out.dataset = {};
  out.dataset_files.clear();
  std::erase_if(out.prediction_files, [](const HashedFile& file) { return file.position >= 0; });
  out.details.clear();
  out.facts.clear();
  out.remarks = counted(run.remarks);
  out.orientation = unnamed_orientation(run.orientation);
  std::erase_if(out.blocks, [min_group](const Block& block) { return block.fewest_patients < min_group; });
  const bool is_small = pooled.all.patients < min_group;
  if (is_small) out.baselines = Json();
  if (!run.official_stopped.empty()) {
    out.official_stopped = std::string(official_stops_at) + "a prediction it cannot read";
    unname_reasons(run.official_stopped, out.official_stopped, pooled.all);
    for (PooledGroup& group : pooled.groups)
      unname_reasons(run.official_stopped, out.official_stopped, group);
  }
  return out;
}

}  // namespace fiducial
