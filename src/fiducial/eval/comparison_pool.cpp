#include "fiducial/eval/comparison_pool.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/metrics/dice_formula.h"
#include "fiducial/stats/paired_difference.h"

namespace fiducial {

namespace {

using Kind = PoolRule::Kind;

std::optional<double> ratio(double part, double whole) {
  if (whole == 0) return std::nullopt;
  return part / whole;
}

std::optional<double> mean_of(std::span<const double> sums) { return ratio(sums[0], sums[1]); }

std::optional<double> mean_of_means(std::span<const double> sums) {
  double total = 0;
  double count = 0;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    if (sums[i + 1] == 0) continue;
    total += sums[i] / sums[i + 1];
    ++count;
  }
  return ratio(total, count);
}

Kind kind_of(std::string_view slot, std::string_view metric) {
  if (slot.ends_with("_per_case")) return Kind::cases;
  if (slot.ends_with("_per_category")) return Kind::categories;
  if (slot.ends_with("_per_finding")) return Kind::findings;
  if (metric.find("_precision_") != std::string_view::npos) return Kind::precision;
  if (metric.find("_recall_") != std::string_view::npos) return Kind::recall;
  if (metric.find("_f1_") != std::string_view::npos) return Kind::f1;
  if (metric.starts_with("matched_dice_")) return Kind::matches;
  return Kind::findings;
}

Result<PoolRule> pool_rule(const std::string& slot, const Json& entry) {
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
  out.kind = kind_of(slot, out.metric);
  return out;
}

// Shares of counted instances: the published scorer gives 1 where there is nothing to divide by.
ClusterBootstrap::Statistic count_statistic(Kind kind, Scorer scorer) {
  const bool official = scorer == Scorer::official;
  const auto share = [official](double part, double whole) -> std::optional<double> {
    if (whole == 0 && official) return 1.0;
    return ratio(part, whole);
  };
  return [=](std::span<const double> n) -> std::optional<double> {
    const auto precision = share(n[0], n[0] + n[1]);
    const auto recall = share(n[0], n[0] + n[2]);
    if (kind == Kind::precision) return precision;
    if (kind == Kind::recall) return recall;
    return official ? f1_of(*precision, *recall) : ratio(2 * n[0], 2 * n[0] + n[1] + n[2]);
  };
}

}  // namespace

std::string PoolRule::count_metric(std::string_view count) const {
  if (kind == Kind::matches)
    return "instance_" + std::string(count) + metric.substr(std::size("matched_dice") - 1);
  const std::string_view word = kind == Kind::precision ? "precision"
                                : kind == Kind::recall  ? "recall"
                                                        : "f1";
  std::string out = metric;
  const std::size_t at = out.find("_" + std::string(word) + "_");
  return at == std::string::npos ? out : out.replace(at + 1, word.size(), count);
}

Result<std::vector<PoolRule>> pool_rules(const Json& slots) {
  std::vector<PoolRule> out;
  for (const auto& [slot, entry] : *slots.as_object()) {
    FIDUCIAL_TRY(PoolRule rule, pool_rule(slot, entry));
    out.push_back(std::move(rule));
  }
  return out;
}

std::optional<double> Pool::value() const {
  if (stopped || n == 0) return std::nullopt;
  return statistic(summed(sums, width));
}

std::optional<Interval> Pool::interval95(const ClusterBootstrap& bootstrap) const {
  if (!value()) return std::nullopt;
  return bootstrap.interval95(sums, width, statistic);
}

Pooling::Pooling(const FindingRows& rows, Scorer scorer) : rows_(rows), scorer_(scorer) {
  std::map<std::string_view, std::size_t> numbers;
  for (const FindingRow& finding : rows.findings) {
    patient_of_.push_back(numbers.emplace(finding.patient, numbers.size()).first->second);
    stopped_ = stopped_ || (scorer == Scorer::official && finding.status == "failed");
  }
  patients_ = numbers.size();
}

Result<Pool> Pooling::pool(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  switch (rule.kind) {
    case Kind::findings:
      return pool_findings(rule, chosen);
    case Kind::cases:
      return pool_cases(rule, chosen);
    case Kind::categories:
      return pool_categories(rule, chosen);
    case Kind::matches:
      return pool_matches(rule, chosen);
    default:
      return pool_counts(rule, chosen);
  }
}

Result<const FindingRows::Values*> Pooling::values(const std::string& metric) const {
  const FindingRows::Values* found = rows_.find(metric);
  if (found != nullptr) return found;
  return Error(ErrorCode::integrity, "rows.parquet has no rows of " + metric);
}

Result<const FindingRows::Values*> Pooling::count_values(const PoolRule& rule, std::string_view count) const {
  const std::string metric = rule.count_metric(count);
  constexpr std::string_view ignore = "_ignore";
  const bool ignores = metric.ends_with(ignore);
  const FindingRows::Values* other =
      rows_.find(ignores ? metric.substr(0, metric.size() - ignore.size()) : metric + std::string(ignore));
  return rows_.find(metric) == nullptr && other != nullptr ? other : values(metric);
}

Pool Pooling::empty_pool(std::size_t width, ClusterBootstrap::Statistic statistic) const {
  return {width, std::vector<double>(patients_ * width), std::move(statistic), 0, stopped_};
}

Result<Pool> Pooling::pool_findings(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  FIDUCIAL_TRY(const FindingRows::Values* values, this->values(rule.metric));
  Pool out = empty_pool(2, mean_of);
  for (const std::size_t i : chosen) {
    if (!(*values)[i]) continue;
    out.sums[patient_of_[i] * 2] += *(*values)[i];
    out.sums[patient_of_[i] * 2 + 1] += 1;
    ++out.n;
  }
  return out;
}

Result<Pool> Pooling::pool_cases(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  struct Case {
    double sum = 0;
    double count = 0;
    std::size_t patient = 0;
  };
  FIDUCIAL_TRY(const FindingRows::Values* values, this->values(rule.metric));
  std::map<std::string_view, Case> cases;
  for (const std::size_t i : chosen) {
    if (!(*values)[i]) continue;
    Case& of = cases[rows_.findings[i].case_name];
    of.sum += *(*values)[i];
    of.count += 1;
    of.patient = patient_of_[i];
  }
  Pool out = empty_pool(2, mean_of);
  for (const auto& [name, of] : cases) {
    out.sums[of.patient * 2] += of.sum / of.count;
    out.sums[of.patient * 2 + 1] += 1;
  }
  out.n = static_cast<std::int64_t>(cases.size());
  return out;
}

Result<Pool> Pooling::pool_categories(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  FIDUCIAL_TRY(const FindingRows::Values* values, this->values(rule.metric));
  std::map<std::string_view, std::size_t> numbers;
  const std::vector<std::string>& labels = rows_.groups.at("category");
  for (const std::size_t i : chosen) numbers.emplace(labels[i], 0);
  std::size_t next = 0;
  for (auto& [label, number] : numbers) number = next++;
  Pool out = empty_pool(2 * numbers.size(), mean_of_means);
  for (const std::size_t i : chosen) {
    if (!(*values)[i]) continue;
    const std::size_t at = patient_of_[i] * out.width + 2 * numbers.at(labels[i]);
    out.sums[at] += *(*values)[i];
    out.sums[at + 1] += 1;
  }
  out.n = static_cast<std::int64_t>(numbers.size());
  return out;
}

Result<Pool> Pooling::pool_matches(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  FIDUCIAL_TRY(const FindingRows::Values* values, this->values(rule.metric));
  FIDUCIAL_TRY(const FindingRows::Values* matches, count_values(rule, "tp"));
  Pool out = empty_pool(2, mean_of);
  for (const std::size_t i : chosen) {
    if (!(*values)[i]) continue;
    const double weight = (*matches)[i].value_or(0);
    out.sums[patient_of_[i] * 2] += *(*values)[i] * weight;
    out.sums[patient_of_[i] * 2 + 1] += weight;
    out.n += static_cast<std::int64_t>(weight);
  }
  return out;
}

Result<Pool> Pooling::pool_counts(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  Pool out = empty_pool(3, count_statistic(rule.kind, scorer_));
  constexpr std::string_view counts[] = {"tp", "fp", "fn"};
  for (std::size_t k = 0; k < 3; ++k) {
    FIDUCIAL_TRY(const FindingRows::Values* values, count_values(rule, counts[k]));
    out.n = 0;
    for (const std::size_t i : chosen) {
      if (!(*values)[i]) continue;
      out.sums[patient_of_[i] * 3 + k] += *(*values)[i];
      ++out.n;
    }
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

Outcome check_slots(const Json& slots, const Pooling& pooling, const std::vector<std::size_t>& chosen,
                    const std::string& place) {
  FIDUCIAL_TRY(const std::vector<PoolRule> rules, pool_rules(slots));
  for (const PoolRule& rule : rules) {
    FIDUCIAL_TRY(const Pool pool, pooling.pool(rule, chosen));
    const Json* recorded = slots.find(rule.slot)->find("value");
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
  FIDUCIAL_TRY_DONE(check_slots(*folder.slots(scorer), pooling, all, "").in_file(folder.path.string()));
  const Json* groups = folder.groups(scorer);
  if (groups == nullptr) return done();
  for (const auto& [kind, labels] : *groups->as_object()) {
    const auto known = rows.groups.find(kind);
    if (known == rows.groups.end() || labels.as_object() == nullptr) continue;
    for (const auto& [label, slots] : *labels.as_object()) {
      FIDUCIAL_TRY_DONE(expect_object(slots, "/groups/" + kind + "/" + label));
      std::vector<std::size_t> chosen;
      for (const std::size_t i : all) {
        if (known->second[i] == label) chosen.push_back(i);
      }
      FIDUCIAL_TRY_DONE(
          check_slots(slots, pooling, chosen, kind + " " + label + " ").in_file(folder.path.string()));
    }
  }
  return done();
}

}  // namespace fiducial
