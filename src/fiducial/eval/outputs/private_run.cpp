#include "fiducial/eval/outputs/private_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/outputs/told_groups.h"

namespace fiducial {

namespace {

// Cases by the patient that they are of.
std::map<std::string, std::string, std::less<>> patients_by_case(const ScoreRun& run) {
  std::map<std::string, std::string, std::less<>> out;
  for (const RunCase& entry : run.cases) out.emplace(entry.name, entry.patient);
  return out;
}

// What is odd about a case may follow from its reference, so codes of few patients are left out. What was not
// handed in, or cannot be read, the submitter knows.
std::vector<Remark> without_few(const ScoreRun& run, int min_group) {
  const auto patient_of = patients_by_case(run);
  std::map<std::string, std::set<std::string>> patients;
  for (const Remark& remark : run.remarks) {
    const auto found = patient_of.find(remark.about);
    if (found != patient_of.end()) patients[remark.code].insert(found->second);
  }
  std::vector<Remark> out;
  for (const Remark& remark : run.remarks) {
    const bool is_of_few = patient_of.contains(remark.about) && std::ssize(patients[remark.code]) < min_group;
    if (remark.kind == Remark::Kind::failure || !is_of_few) out.push_back(remark);
  }
  return out;
}

// Of the counts those that say what was handed in; others follow from references.
Json told_counts(const Json& counts) {
  constexpr std::string_view told[] = {"cases",         "findings",        "questions",      "structures",
                                       "missing",       "failed",          "refused",        "ambiguous",
                                       "invalid",       "unknown_files",   "unknown_cases",  "unknown_rows",
                                       "skipped_lines", "reference_facts", "predicted_facts"};
  Json out = Json::object({});
  const Json::Object* const members = counts.as_object();
  if (members == nullptr) return out;  // a run of nothing counts nothing
  for (const auto& [name, value] : *members) {
    if (name.starts_with("rule_") || std::find(std::begin(told), std::end(told), name) != std::end(told))
      out.set(name, value);
  }
  return out;
}

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

double rounded(double value) {
  const double scale = std::pow(10.0, private_decimals);
  return std::round(value * scale) / scale + 0.0;  // never -0
}

void round_ends(std::optional<Interval>& interval) {
  if (interval) interval = Interval{rounded(interval->low), rounded(interval->high)};
}

Json rounded(const Json& value) {
  if (const Json::Object* members = value.as_object()) {
    Json out = Json::object({});
    for (const auto& [key, member] : *members) out.set(key, rounded(member));
    return out;
  }
  if (const Json::Array* items = value.as_array()) {
    Json out{Json::Array{}};
    for (const Json& item : *items) out.push(rounded(item));
    return out;
  }
  const bool is_real = value.as_number() && value.as_integer() == nullptr;
  return is_real ? Json(rounded(*value.as_number())) : value;
}

// Of a few turned cases nothing is told.
Json private_orientation(const ScoreRun& run, int min_group) {
  if (run.orientation.is_null()) return {};
  const Json::Array& turned = *run.orientation.find("cases")->as_array();
  std::set<std::string> names;
  for (const Json& name : turned) names.insert(*name.as_string());
  std::set<std::string> patients;
  for (const RunCase& entry : run.cases) {
    if (names.contains(entry.name)) patients.insert(entry.patient);
  }
  if (std::ssize(patients) < min_group) return {};
  Json out = rounded(run.orientation);
  return out.set("cases", Json::Array(turned.size(), Json(withheld)));
}

std::string few_patients(int min_group) { return "withheld: fewer than " + decimal(min_group) + " patients"; }

void withhold(SlotValue& slot, int min_group) {
  slot.value.reset();
  slot.ci95.reset();
  slot.no_interval.clear();
  slot.wilson95.reset();
  slot.ceiling.reset();
  slot.floor.reset();
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

// Where the groups of a pooled run stand in the run.
std::vector<OfferedGroup> offered_groups(const ScoreRun& run, const PooledRun& pooled) {
  std::vector<OfferedGroup> out;
  for (const PooledGroup& group : pooled.groups) {
    const auto kind = std::find_if(run.groups.begin(), run.groups.end(),
                                   [&](const GroupKind& each) { return each.kind == group.kind; });
    const auto found = std::find_if(kind->groups.begin(), kind->groups.end(),
                                    [&](const LabelledUnits& each) { return each.label == group.label; });
    out.push_back({static_cast<std::size_t>(kind - run.groups.begin()), &found->members});
  }
  return out;
}

// Drops the groups that would tell too much.
void keep_told(const ScoreRun& run, int min_group, PooledRun& pooled) {
  std::erase_if(pooled.groups, [&run](const PooledGroup& group) {
    return std::any_of(run.groups.begin(), run.groups.end(), [&group](const GroupKind& kind) {
      return kind.tells_answers && kind.kind == group.kind;
    });
  });
  const std::vector<bool> told = told_groups(run.pooled_units(), offered_groups(run, pooled), min_group);
  std::vector<PooledGroup> kept;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i]) kept.push_back(std::move(pooled.groups[i]));
  }
  pooled.groups = std::move(kept);
}

// The units that a measure has scores of, as columns of weights; none: all units.
using Weights = std::vector<const UnitValues*>;

Weights weights_of(const ScoreRun& run, const Measure& measure) {
  if (measure.corpus) return {};
  Weights out;
  if (!measure.statistic.is_share()) out.push_back(run.columns[measure.column].weights.get());
  for (const std::size_t column : measure.counts) out.push_back(run.columns[column].weights.get());
  return out;
}

// Which groups may be told of the units that have a score: a slot leaves units out that its group has.
std::vector<bool> told_of_scored(const PooledUnits& units, const std::vector<OfferedGroup>& groups,
                                 const Weights& weights, int min_group) {
  PooledUnits scored{.cases = {}, .patients = {}, .categories = {}, .patient_count = units.patient_count};
  std::vector<std::optional<std::uint32_t>> place(units.patients.size());
  for (std::size_t unit = 0; unit < place.size(); ++unit) {
    const bool has_score = std::any_of(weights.begin(), weights.end(),
                                       [unit](const UnitValues* each) { return (*each)[unit] > 0; });
    if (!has_score) continue;
    place[unit] = static_cast<std::uint32_t>(scored.patients.size());
    scored.cases.push_back(units.cases[unit]);
    scored.patients.push_back(units.patients[unit]);
  }
  std::vector<std::vector<std::uint32_t>> members(groups.size());
  std::vector<OfferedGroup> offered;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t unit : *groups[g].members) {
      if (place[unit]) members[g].push_back(*place[unit]);
    }
    offered.push_back({groups[g].kind, &members[g]});
  }
  return told_groups(scored, offered, min_group);
}

// Withholds slots of told groups from which a value of few patients follows, and those of few patients.
void withhold_following(const ScoreRun& run, int min_group, PooledRun& pooled) {
  const PooledUnits units = run.pooled_units();
  const std::vector<OfferedGroup> groups = offered_groups(run, pooled);
  std::map<Weights, std::vector<bool>> told_by;
  for (std::size_t g = 0; g < pooled.groups.size(); ++g) {
    withhold_few(pooled.groups[g], min_group);
    for (std::vector<SlotValue>& slots : pooled.groups[g].by_scorer) {
      for (SlotValue& slot : slots) {
        const Weights weights = weights_of(run, *slot.measure);
        if (weights.empty() || !slot.value) continue;
        auto told = told_by.find(weights);
        if (told == told_by.end()) {
          told = told_by.emplace(weights, told_of_scored(units, groups, weights, min_group)).first;
        }
        if (!told->second[g]) withhold(slot, min_group);
      }
    }
  }
}

// Whether every category has enough patients: in a mean over categories a small one weighs as much as others.
bool has_small_category(const PooledUnits& units, int min_group) {
  std::map<std::uint32_t, std::set<std::uint32_t>> patients;
  for (std::size_t unit = 0; unit < units.categories.size(); ++unit)
    patients[units.categories[unit]].insert(units.patients[unit]);
  return std::any_of(patients.begin(), patients.end(),
                     [min_group](const auto& each) { return std::ssize(each.second) < min_group; });
}

void withhold_category_means(const ScoreRun& run, int min_group, PooledRun& pooled) {
  if (!has_small_category(run.pooled_units(), min_group)) return;
  const auto withhold_in = [min_group](PooledGroup& group) {
    for (std::vector<SlotValue>& slots : group.by_scorer) {
      for (SlotValue& slot : slots) {
        if (slot.measure->statistic.kind == Statistic::Kind::category_means) withhold(slot, min_group);
      }
    }
  };
  withhold_in(pooled.all);
  for (PooledGroup& group : pooled.groups) withhold_in(group);
}

void round_slots(PooledGroup& group) {
  for (std::vector<SlotValue>& slots : group.by_scorer) {
    for (SlotValue& slot : slots) {
      if (slot.value) slot.value = rounded(*slot.value);
      if (slot.ceiling) slot.ceiling = rounded(*slot.ceiling);
      slot.floor.reset();
      round_ends(slot.ci95);
      round_ends(slot.wilson95);
      slot.correct = slot.value ? std::llround(*slot.value * static_cast<double>(slot.n)) : 0;
    }
  }
}

// A group has the patients that it has, whatever was predicted: how many matches, answers or gaps a
// submission has in it would tell the group of a case that is left out.
void count_patients(PooledGroup& group) {
  for (std::vector<SlotValue>& slots : group.by_scorer) {
    for (SlotValue& slot : slots) {
      if (slot.value) slot.n = group.patients;
      slot.n_undefined = slot.n_failed = 0;
    }
  }
}

}  // namespace

ScoreRun private_run(const ScoreRun& run, int min_group, PooledRun& pooled) {
  keep_told(run, min_group, pooled);
  withhold_following(run, min_group, pooled);
  withhold_few(pooled.all, min_group);
  withhold_category_means(run, min_group, pooled);
  round_slots(pooled.all);
  for (PooledGroup& group : pooled.groups) {
    count_patients(group);
    round_slots(group);
  }
  ScoreRun out = run;
  out.min_group = min_group;
  out.files.clear();
  out.dataset = {};
  out.dataset_files.clear();
  std::erase_if(out.prediction_files, [](const HashedFile& file) { return file.position >= 0; });
  out.details.clear();
  out.facts.clear();
  out.remarks = counted(without_few(run, min_group));
  out.counts = told_counts(run.counts);
  out.orientation = private_orientation(run, min_group);
  std::erase_if(out.groups, [](const GroupKind& kind) { return kind.tells_answers; });
  std::erase_if(out.blocks, [min_group](const Block& block) { return block.fewest_patients < min_group; });
  for (Block& block : out.blocks) block.value = rounded(block.value);
  out.baselines = Json();
  if (!run.official_stopped.empty()) {
    out.official_stopped = std::string(official_stops_at) + "a prediction it cannot read";
    unname_reasons(run.official_stopped, out.official_stopped, pooled.all);
    for (PooledGroup& group : pooled.groups)
      unname_reasons(run.official_stopped, out.official_stopped, group);
  }
  return out;
}

}  // namespace fiducial
