#include "fiducial/eval/folder/comparison_pool.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/folder/first_rules.h"
#include "fiducial/stats/paired_difference.h"

namespace fiducial {

namespace {

// What a slot of the summary says of itself.
Result<PoolRule> rule_of_slot(const std::string& slot, const Json& entry) {
  const std::string pointer = "/" + slot;
  PoolRule out{.slot = slot};
  FIDUCIAL_TRY(const Json* metric, required_field(entry, "metric", pointer));
  FIDUCIAL_TRY(out.metric, expect_string(*metric, pointer + "/metric"));
  FIDUCIAL_TRY(const Json* version, required_field(entry, "version", pointer));
  FIDUCIAL_TRY(const std::int64_t number, expect_integer(*version, pointer + "/version"));
  out.version = static_cast<int>(number);
  FIDUCIAL_TRY(const Json* better, required_field(entry, "better", pointer));
  FIDUCIAL_TRY(const std::string direction, expect_string(*better, pointer + "/better"));
  for (const Direction one : {Direction::higher, Direction::lower, Direction::none}) {
    if (to_string(one) == direction) out.better = one;
  }
  return out;
}

Result<Json> stored_measures(const ScoreFolder& folder) {
  for (const auto& [key, value] : folder.rows.metadata) {
    if (key == "measures") return parse_json(value).in_file((folder.path / "rows.parquet").string());
  }
  return Json();
}

// The rule of a slot among the measures that rows.parquet names.
Outcome take_measure(const Json& measure, PoolRule& rule) {
  FIDUCIAL_TRY(const Json* statistic, required_field(measure, "statistic", "/measures"));
  FIDUCIAL_TRY(rule.statistic, parse_statistic(*statistic));
  FIDUCIAL_TRY(const Json* counts, required_field(measure, "counts", "/measures"));
  FIDUCIAL_TRY(const Json::Array* ids, expect_array(*counts, "/measures/counts"));
  for (const Json& id : *ids) {
    FIDUCIAL_TRY(rule.counts.emplace_back(), expect_string(id, "/measures/counts"));
  }
  const std::size_t expected = rule.statistic.is_share()                         ? 3
                               : rule.statistic.kind == Statistic::Kind::matches ? 1
                                                                                 : 0;
  if (rule.counts.size() != expected)
    return at_pointer("/measures/counts", "expected " + decimal(expected) + " metrics");
  return done();
}

const Json* find_measure(const Json& measures, const std::string& slot, Scorer scorer) {
  for (const Json& each : *measures.as_array()) {
    const Json* name = each.find("slot");
    const Json* by = each.find("scorer");
    const bool fits = name != nullptr && name->as_string() != nullptr && *name->as_string() == slot &&
                      by != nullptr && by->as_string() != nullptr && *by->as_string() == to_string(scorer);
    if (fits) return &each;
  }
  return nullptr;
}

}  // namespace

Result<std::vector<PoolRule>> pool_rules(const ScoreFolder& folder, Scorer scorer) {
  const Json& slots = *folder.slots(scorer);
  FIDUCIAL_TRY(const Json measures, stored_measures(folder));
  if (measures.is_null()) return first_pool_rules(slots, scorer);
  FIDUCIAL_TRY_DONE(expect_array(measures, "/measures"));
  std::vector<PoolRule> out;
  for (const auto& [slot, entry] : *slots.as_object()) {
    if (entry.find("over") != nullptr) continue;  // of a corpus: rows of cases do not give it
    const Json* measure = find_measure(measures, slot, scorer);
    if (measure == nullptr)
      return Error(ErrorCode::integrity, "rows.parquet does not say how " + slot + " is made of rows",
                   Place{.path = folder.path.string()});
    FIDUCIAL_TRY(PoolRule rule, rule_of_slot(slot, entry));
    FIDUCIAL_TRY_DONE(take_measure(*measure, rule));
    out.push_back(std::move(rule));
  }
  return out;
}

Result<std::vector<PoolRule>> first_pool_rules(const Json& slots, Scorer scorer) {
  std::vector<PoolRule> out;
  for (const auto& [slot, entry] : *slots.as_object()) {
    if (entry.find("over") != nullptr) continue;
    FIDUCIAL_TRY(PoolRule rule, rule_of_slot(slot, entry));
    take_first_statistic(scorer, rule);
    out.push_back(std::move(rule));
  }
  return out;
}

std::optional<double> Pool::value() const {
  if (stopped || n == 0) return std::nullopt;
  return statistic(summed(sums, width));
}

Pooling::Pooling(const FindingRows& rows, Scorer scorer)
    : is_weighted_(!rows.weights.empty()), stopped_(scorer == Scorer::official && rows.official_stops) {
  std::map<std::string_view, std::uint32_t> patients, cases, labels;
  const std::vector<std::string>& categories = rows.groups.at(std::string(category_kind));
  for (const std::string& category : categories) labels.emplace(category, 0);
  std::uint32_t next = 0;
  for (auto& [label, number] : labels) number = next++;
  for (std::size_t i = 0; i < rows.findings.size(); ++i) {
    const FindingRow& unit = rows.findings[i];
    units_.patients.push_back(
        patients.emplace(unit.patient, static_cast<std::uint32_t>(patients.size())).first->second);
    units_.cases.push_back(
        cases.emplace(unit.case_name, static_cast<std::uint32_t>(cases.size())).first->second);
    units_.categories.push_back(labels.at(categories[i]));
  }
  units_.patient_count = patients.size();
  for (const auto& [metric, values] : rows.values) {
    Stored stored{UnitValues(values.size()), UnitValues(values.size())};
    const std::vector<double>* weights = rows.find_weights(metric);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      stored.weights[i] = weights != nullptr ? (*weights)[i] : 1;
      stored.sums[i] = *values[i] * stored.weights[i];
    }
    columns_.emplace(metric, std::move(stored));
  }
}

Result<const Pooling::Stored*> Pooling::find(const std::string& metric) const {
  for (const std::string& name : names_of_count(metric)) {
    const auto found = columns_.find(name);
    if (found != columns_.end()) return &found->second;
  }
  return Error(ErrorCode::integrity, "rows.parquet has no rows of " + metric);
}

Result<Pool> Pooling::pool(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  Pool out{.statistic = function_of(rule.statistic), .stopped = stopped_};
  std::vector<std::string> wanted = rule.counts;
  if (!rule.statistic.is_share()) wanted.insert(wanted.begin(), rule.metric);
  std::vector<PooledColumn> columns;
  for (const std::string& metric : wanted) {
    // Rows that weigh nothing are left out: of a value that is undefined throughout there are none.
    if (is_weighted_ && !find(metric).ok()) {
      out.width = 2;
      out.sums.resize(2 * patients());
      return out;
    }
    FIDUCIAL_TRY(const Stored* stored, find(metric));
    columns.push_back({&stored->sums, &stored->weights});
  }
  std::vector<std::uint32_t> members(chosen.begin(), chosen.end());
  std::sort(members.begin(), members.end());
  const UnitGroup group = UnitGroup::of(units_, std::move(members));
  const PooledSums pooled = pooled_sums(rule.statistic, units_, group, columns);
  out.width = pooled.width;
  out.n = pooled.n;
  out.sums.resize(patients() * out.width);
  for (std::size_t i = 0; i < group.patients.size(); ++i) {
    std::copy_n(pooled.sums.begin() + static_cast<std::ptrdiff_t>(i * out.width), out.width,
                out.sums.begin() + static_cast<std::ptrdiff_t>(group.patients[i] * out.width));
  }
  return out;
}

namespace {

// Whether a recorded value (a number, or null for none) is the one the rows give.
bool agrees(const Json* recorded, const std::optional<double>& found) {
  if (!found || recorded == nullptr || !recorded->as_number())
    return !found && recorded != nullptr && recorded->is_null();
  const double value = *recorded->as_number();
  return std::abs(value - *found) <= 1e-12 * std::max(1.0, std::abs(value));
}

Outcome check_slots(const Json& slots, const std::vector<PoolRule>& rules, const Pooling& pooling,
                    const std::vector<std::size_t>& chosen, const std::string& place) {
  for (const PoolRule& rule : rules) {
    const Json* slot = slots.find(rule.slot);
    if (slot == nullptr) continue;  // of groups that count nothing
    FIDUCIAL_TRY(const Pool pool, pooling.pool(rule, chosen));
    const Json* recorded = slot->find("value");
    const auto found = pool.value();
    if (agrees(recorded, found)) continue;
    return Error(ErrorCode::integrity, "summary.json says " + place + rule.slot + " is " +
                                           (recorded == nullptr ? "absent" : recorded->compact()) +
                                           ", the rows give " + (found ? shortest(*found) : "no value"));
  }
  return done();
}

}  // namespace

Outcome check_summary(const ScoreFolder& folder, const FindingRows& rows, Scorer scorer) {
  const Pooling pooling(rows, scorer);
  std::vector<std::size_t> all(rows.findings.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  FIDUCIAL_TRY(const std::vector<PoolRule> rules, pool_rules(folder, scorer));
  FIDUCIAL_TRY_DONE(
      check_slots(*folder.slots(scorer), rules, pooling, all, "").in_file(folder.path.string()));
  const Json* groups = folder.groups(scorer);
  if (groups == nullptr) return done();
  for (const auto& [kind, labels] : *groups->as_object()) {
    const auto known = rows.groups.find(kind);
    if (known == rows.groups.end() || labels.as_object() == nullptr) continue;
    for (const auto& [label, slots] : *labels.as_object()) {
      std::string pointer = "/groups/";
      pointer.append(kind).append("/").append(label);
      FIDUCIAL_TRY_DONE(expect_object(slots, pointer));
      const std::vector<std::size_t> chosen = rows.members(kind, label);
      std::string place = kind;
      place.append(" ").append(label).append(" ");
      FIDUCIAL_TRY_DONE(check_slots(slots, rules, pooling, chosen, place).in_file(folder.path.string()));
    }
  }
  return done();
}

}  // namespace fiducial
