#include "fiducial/eval/folder/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/version.h"
#include "fiducial/eval/folder/comparison_systems.h"
#include "fiducial/stats/rank_groups.h"

namespace fiducial {

namespace {

Json json_of(const std::optional<Interval>& interval) {
  return interval ? Json::array({interval->low, interval->high}) : Json();
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json json_of(const SystemDifference& difference) {
  Json out = Json::object({{"value", json_of(difference.value)}, {"ci95", json_of(difference.ci95)}});
  out.set("p", difference.test ? Json(difference.test->p) : Json());
  out.set("permutations", difference.test ? difference.test->permutations : 0)
      .set("exact", difference.test && difference.test->exact);
  if (difference.mcnemar) {
    const McNemar& test = *difference.mcnemar;
    out.set("mcnemar", Json::object({{"only_first", test.only_first},
                                     {"only_second", test.only_second},
                                     {"exact_p", test.exact_p()},
                                     {"asymptotic_p", test.asymptotic_p()},
                                     {"asymptotic_corrected_p", test.asymptotic_corrected_p()}}));
  }
  if (!difference.refusal.empty()) out.set("refusal", difference.refusal);
  return out.set("wins", difference.wins)
      .set("losses", difference.losses)
      .set("ties", difference.ties)
      .set("unpaired", difference.unpaired);
}

// The interval that a summary states: a number has one interval, wherever it is shown.
const Json* stated_entry(const Json* slots, const std::string& slot) {
  return slots == nullptr ? nullptr : slots->find(slot);
}

Json stated_interval(const Json* slots, const std::string& slot) {
  const Json* entry = stated_entry(slots, slot);
  const Json* interval = entry == nullptr ? nullptr : entry->find("ci95");
  return interval == nullptr ? Json() : *interval;
}

// The slots of every system, of all units or of a group of them.
using SlotsOfSystems = std::vector<const Json*>;

SlotsOfSystems slots_of(const ComparedSystems& systems, Scorer scorer) {
  SlotsOfSystems out;
  for (const ScoreFolder& folder : systems.folders()) out.push_back(folder.slots(scorer));
  return out;
}

SlotsOfSystems group_slots_of(const ComparedSystems& systems, Scorer scorer, const std::string& kind,
                              const std::string& label) {
  SlotsOfSystems out;
  for (const ScoreFolder& folder : systems.folders()) {
    const Json* kinds = folder.groups(scorer);
    const Json* labels = kinds == nullptr ? nullptr : kinds->find(kind);
    out.push_back(labels == nullptr ? nullptr : labels->find(label));
  }
  return out;
}

Json values_json(const SlotPools& slot, const SlotsOfSystems& stated) {
  Json out = Json(Json::Array{});
  for (std::size_t s = 0; s < slot.systems.size(); ++s) {
    const Pool& pool = slot.systems[s];
    Json told = Json::object({{"value", json_of(pool.value())},
                              {"ci95", stated_interval(stated[s], slot.rule.slot)},
                              {"n", pool.n}});
    const Json* entry = stated_entry(stated[s], slot.rule.slot);
    for (const char* key : {"counted", "reason"}) {
      const Json* found = entry == nullptr ? nullptr : entry->find(key);
      if (found != nullptr) told.set(key, *found);
    }
    out.push(std::move(told));
  }
  return out;
}

// Predictions that could not be scored, whatever their task calls them.
Json failed_count(const Json& counts) {
  if (const Json* failed = counts.find("failed")) return *failed;
  if (counts.find("invalid") == nullptr) return {};
  return integer_at(counts, "ambiguous") + integer_at(counts, "refused") + integer_at(counts, "invalid");
}

Json systems_json(const ComparedSystems& systems) {
  Json out = Json(Json::Array{});
  for (const ScoreFolder& folder : systems.folders()) {
    const Json& counts = *folder.summary.find("counts");
    const auto count = [&counts](const char* key) {
      const Json* found = counts.find(key);
      return found == nullptr ? Json() : *found;
    };
    Json told = Json::object({{"system", folder.system()},
                              {"missing", count("missing")},
                              {"failed", failed_count(counts)},
                              {"plan_sha256", folder.plan_digest.hex()},
                              {"summary_sha256", folder.summary_digest.hex()}});
    const Json* asked = folder.summary.find("asked");
    const Json::Object* dropped = asked == nullptr ? nullptr : find_object(*asked, "dropped_parameters");
    if (dropped != nullptr && !dropped->empty()) told.set("dropped_parameters", Json(*dropped));
    out.push(std::move(told));
  }
  return out;
}

Result<Json> slots_json(const ComparedSystems& systems, Scorer scorer) {
  Json out = Json::object({});
  const SlotsOfSystems stated = slots_of(systems, scorer);
  for (const PoolRule& rule : systems.rules()) {
    FIDUCIAL_TRY(const SlotPools slot, systems.slot(rule));
    Json entry = Json::object(
        {{"metric", rule.metric}, {"version", rule.version}, {"better", to_string(rule.better)}});
    const Json* first = stated_entry(stated.front(), rule.slot);
    if (const Json* unit = first == nullptr ? nullptr : first->find("unit")) entry.set("unit", *unit);
    entry.set("values", values_json(slot, stated));
    if (slot.systems.size() == 2) entry.set("difference", json_of(systems.difference(slot, 0, 1)));
    out.set(rule.slot, std::move(entry));
  }
  return out;
}

Result<Json> groups_json(const ComparedSystems& systems, const CompareRequest& request,
                         const PoolRule& rule) {
  Json out = Json::object({});
  for (const auto& [kind, labels] : *systems.folders().front().groups(request.scorer)->as_object()) {
    FIDUCIAL_TRY(const auto groups, systems.groups(rule, kind));
    if (groups.empty()) continue;
    Json entries = Json::object({});
    for (const auto& [label, slot] : groups) {
      const SlotsOfSystems stated = group_slots_of(systems, request.scorer, kind, label);
      entries.set(label, Json::object({{"findings", static_cast<std::int64_t>(slot.findings.size())},
                                       {"values", values_json(slot, stated)},
                                       {"difference", json_of(systems.difference(slot, 0, 1))}}));
    }
    out.set(kind, std::move(entries));
  }
  return out;
}

// The least p that exchanging patients can give: of all exchanges two are as extreme as what was seen.
double least_p_of(std::size_t patients) {
  return std::min(1.0, std::exp2(1 - std::min(static_cast<double>(patients), 1000.0)));
}

// A corrected p up to this tells two systems apart.
constexpr double significance_level = 0.05;

// Every pair of systems in one slot, with its p-value corrected for their number.
class PairTable {
 public:
  PairTable(const ComparedSystems& systems, const SlotPools& slot) : count_(slot.systems.size()) {
    std::vector<double> p;
    for (std::size_t a = 0; a < count_; ++a) {
      for (std::size_t b = a + 1; b < count_; ++b) {
        differences_.push_back(systems.difference(slot, a, b));
        if (differences_.back().test) p.push_back(differences_.back().test->p);
      }
    }
    const std::vector<double> holm = holm_adjusted(p);
    std::size_t tested = 0;
    for (const SystemDifference& difference : differences_)
      p_holm_.push_back(difference.test ? holm[tested++] : 1);
  }

  // The difference of a pair, whichever comes first.
  const SystemDifference& between(std::size_t a, std::size_t b) const { return differences_[place_of(a, b)]; }

  // Whether the corrected test tells two systems apart.
  bool tells_apart(std::size_t a, std::size_t b) const {
    const std::size_t at = place_of(a, b);
    return differences_[at].test && p_holm_[at] <= significance_level;
  }

  double least_p_holm(double least_p) const {
    return std::min(1.0, static_cast<double>(differences_.size()) * least_p);
  }

  Json json() const {
    Json out = Json(Json::Array{});
    for (std::size_t a = 0; a < count_; ++a) {
      for (std::size_t b = a + 1; b < count_; ++b) {
        const SystemDifference& difference = between(a, b);
        Json entry = Json::object({{"first", static_cast<std::int64_t>(a)},
                                   {"second", static_cast<std::int64_t>(b)},
                                   {"difference", json_of(difference)}});
        entry.set("p_holm", difference.test ? Json(p_holm_[place_of(a, b)]) : Json());
        out.push(std::move(entry));
      }
    }
    return out;
  }

 private:
  std::size_t place_of(std::size_t a, std::size_t b) const {
    const std::size_t low = std::min(a, b);
    return low * count_ - low * (low + 1) / 2 + std::max(a, b) - low - 1;
  }

  std::size_t count_;
  std::vector<SystemDifference> differences_;
  std::vector<double> p_holm_;  // beside them; 1 where there is no test
};

// The ranks that a system may have: those above it that the corrected test tells apart are better, those
// below worse; all others may stand on either side. So it says what groups and p-values say.
std::optional<Interval> rank_interval(std::size_t system, std::span<const std::optional<double>> values,
                                      std::span<const std::size_t> rank, const PairTable& pairs) {
  if (!values[system]) return std::nullopt;
  double low = 1;
  double high = 0;
  for (std::size_t other = 0; other < values.size(); ++other) {
    if (!values[other]) continue;
    const bool is_apart = other != system && pairs.tells_apart(system, other);
    low += is_apart && rank[other] < rank[system] ? 1 : 0;
    high += is_apart && rank[other] > rank[system] ? 0 : 1;
  }
  return Interval{low, high};
}

// Systems from best to worst. Those without a value have no rank and come last.
Json ranking_json(const SlotPools& slot, const PairTable& pairs, const SlotsOfSystems& stated) {
  const bool higher = slot.rule.better != Direction::lower;
  std::vector<std::optional<double>> values;
  for (const Pool& pool : slot.systems) values.push_back(pool.value());
  const std::vector<std::size_t> rank = ranks(values, higher);
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
  const std::vector<std::size_t> groups = tie_groups(
      order.size(),
      [&](std::size_t leader, std::size_t other) { return pairs.tells_apart(order[leader], order[other]); });
  Json out = Json(Json::Array{});
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t s = order[i];
    const bool ranked = values[s].has_value();
    out.push(Json::object({{"system", static_cast<std::int64_t>(s)},
                           {"rank", ranked ? Json(static_cast<std::int64_t>(rank[s])) : Json()},
                           {"rank_ci95", json_of(rank_interval(s, values, rank, pairs))},
                           {"tie_group", ranked ? Json(static_cast<std::int64_t>(groups[i] + 1)) : Json()},
                           {"value", json_of(values[s])},
                           {"ci95", stated_interval(stated[s], slot.rule.slot)}}));
  }
  return out;
}

Json provenance_json(const ScoreFolder& folder, const CompareRequest& request) {
  const Json* dataset = folder.plan.find("dataset");
  const Json* hash = dataset == nullptr ? nullptr : dataset->find("sha256");
  return Json::object(
      {{"tool", "fiducial"},
       {"tool_version", tool_version},
       {"dataset_sha256", hash == nullptr ? Json() : *hash},
       {"seed", request.seed},
       {"resamples", request.resamples},
       {"interval",
        "values: as their summaries state them; differences: paired percentile bootstrap over "
        "patients"},
       {"groups", "corrected p (Holm) of the pair at most 0.05; ranks likewise"},
       {"test",
        "two-sided paired permutation by patient; where each patient has one case, right or wrong, "
        "this is McNemar's exact test"}});
}

// Whom intervals and p-values take for independent.
const char* resampled_in(const Json& summary) {
  const Json* provenance = summary.find("provenance");
  const bool are_cases = provenance != nullptr && text_at(*provenance, "interval").ends_with("cases");
  return are_cases ? "cases" : "patients";
}

Outcome check_request(const CompareRequest& request) {
  if (request.folders.size() < 2) return bad_usage("at least two score folders are needed");
  if (request.resamples < 100) return bad_usage("at least 100 resamples are needed");
  if (request.seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return bad_usage("the seed must be below 2^63");
  }
  return done();
}

}  // namespace

Result<Json> compare_scores(const CompareRequest& request) {
  FIDUCIAL_TRY_DONE(check_request(request));
  FIDUCIAL_TRY(const ComparedSystems systems, ComparedSystems::open(request));
  const std::string slot_name = request.slot.empty() ? systems.usual_slot() : request.slot;
  FIDUCIAL_TRY(const PoolRule rule, systems.find_rule(slot_name));
  const ScoreFolder& first = systems.folders().front();
  Json out = Json::object({{"schema", "fiducial.comparison/1"},
                           {"benchmark", *first.summary.find("benchmark")},
                           {"split", *first.summary.find("split")},
                           {"mode", to_string(request.scorer)},
                           {"metric", slot_name},
                           {"patients", static_cast<std::int64_t>(systems.patients())},
                           {"findings", static_cast<std::int64_t>(systems.findings())},
                           {"unit", request.unit_of == nullptr ? "case" : request.unit_of(first.plan)},
                           {"resampled", resampled_in(first.summary)},
                           {"systems", systems_json(systems)}});
  FIDUCIAL_TRY(Json slots, slots_json(systems, request.scorer));
  const double least_p = least_p_of(systems.patients());
  out.set("slots", std::move(slots)).set("least_p", least_p);
  if (static_cast<std::int64_t>(systems.patients()) < least_resampled)
    out.set("no_interval", "fewer than " + decimal(least_resampled) + " " + resampled_in(first.summary));
  if (systems.folders().size() == 2) {
    FIDUCIAL_TRY(Json groups, groups_json(systems, request, rule));
    out.set("groups", std::move(groups));
  } else {
    FIDUCIAL_TRY(const SlotPools slot, systems.slot(rule));
    const PairTable pairs(systems, slot);
    out.set("ranking", ranking_json(slot, pairs, slots_of(systems, request.scorer)))
        .set("pairs", pairs.json())
        .set("least_p_holm", pairs.least_p_holm(least_p));
  }
  return out.set("provenance", provenance_json(first, request));
}

}  // namespace fiducial
