#include "fiducial/eval/comparison_pool.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

PoolKind kind_of(std::string_view slot, std::string_view metric) {
  if (slot.ends_with("_per_case")) return PoolKind::cases;
  if (slot.ends_with("_per_category")) return PoolKind::categories;
  if (slot.ends_with("_per_finding")) return PoolKind::findings;
  if (metric.find("_precision_") != std::string_view::npos) return PoolKind::precision;
  if (metric.find("_recall_") != std::string_view::npos) return PoolKind::recall;
  if (metric.find("_f1_") != std::string_view::npos) return PoolKind::f1;
  if (metric.starts_with("matched_dice_")) return PoolKind::matches;
  return PoolKind::findings;
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

}  // namespace

std::string PoolRule::count_metric(std::string_view count) const {
  if (kind == PoolKind::matches)
    return "instance_" + std::string(count) + metric.substr(std::size("matched_dice") - 1);
  const std::string_view word = kind == PoolKind::precision ? "precision"
                                : kind == PoolKind::recall  ? "recall"
                                                            : "f1";
  std::string out = metric;
  const std::size_t at = out.find("_" + std::string(word) + "_");
  return at == std::string::npos ? out : out.replace(at + 1, word.size(), count);
}

Result<std::vector<PoolRule>> pool_rules(const Json& slots) {
  std::vector<PoolRule> out;
  for (const auto& [slot, entry] : *slots.as_object()) {
    if (entry.find("over") != nullptr) continue;  // of a corpus: rows of cases do not give it
    FIDUCIAL_TRY(PoolRule rule, pool_rule(slot, entry));
    out.push_back(std::move(rule));
  }
  return out;
}

Pooling::Pooling(const FindingRows& rows, Scorer scorer) : rows_(rows), scorer_(scorer) {
  std::map<std::string_view, std::size_t> numbers;
  for (const FindingRow& finding : rows.findings) {
    patient_of_.push_back(numbers.emplace(finding.patient, numbers.size()).first->second);
    stopped_ = stopped_ || (scorer == Scorer::official && finding.status == "failed");
  }
  patients_ = numbers.size();
}

Result<std::vector<const FindingRows::Values*>> Pooling::columns(const PoolRule& rule) const {
  std::vector<const FindingRows::Values*> out;
  const bool shares =
      rule.kind == PoolKind::precision || rule.kind == PoolKind::recall || rule.kind == PoolKind::f1;
  if (!shares) {
    FIDUCIAL_TRY(out.emplace_back(), values(rule.metric));
    if (rule.kind != PoolKind::matches) return out;
  }
  for (const std::string_view count : {"tp", "fp", "fn"}) {
    FIDUCIAL_TRY(out.emplace_back(), count_values(rule, count));
    if (!shares) break;
  }
  return out;
}

Pool Pooling::weighted_pool_of_nothing() const {
  Pool out{.width = 2, .sums = std::vector<double>(2 * patients_)};
  out.statistic = [](std::span<const double> sums) -> std::optional<double> {
    return sums[1] > 0 ? std::optional(sums[0] / sums[1]) : std::nullopt;
  };
  return out;
}

// The mean of values that each stand for several texts or steps, or for none.
Result<Pool> Pooling::weighted_pool(const PoolRule& rule, const std::vector<double>& weights,
                                    const std::vector<std::size_t>& chosen) const {
  FIDUCIAL_TRY(const FindingRows::Values* scores, values(rule.metric));
  Pool out = weighted_pool_of_nothing();
  double n = 0;
  for (const std::size_t i : chosen) {
    if (!(*scores)[i]) continue;
    out.sums[2 * patient_of_[i]] += *(*scores)[i] * weights[i];
    out.sums[2 * patient_of_[i] + 1] += weights[i];
    n += weights[i];
  }
  out.n = static_cast<std::int64_t>(std::llround(n));
  return out;
}

Result<Pool> Pooling::pool(const PoolRule& rule, const std::vector<std::size_t>& chosen) const {
  if (const std::vector<double>* weights = rows_.find_weights(rule.metric)) {
    return weighted_pool(rule, *weights, chosen);
  }
  // Rows that weigh nothing are left out: of a value that is undefined throughout there are none.
  if (!rows_.weights.empty() && rows_.find(rule.metric) == nullptr) return weighted_pool_of_nothing();
  FIDUCIAL_TRY(const std::vector<const FindingRows::Values*> sources, columns(rule));
  const std::vector<std::string>& categories = rows_.groups.at("category");
  PooledFindings findings{.scorer = scorer_, .patients = patients_};
  std::vector<PoolColumn> scores(sources.size());
  for (const std::size_t i : chosen) {
    findings.findings.push_back({rows_.findings[i].case_name, categories[i], patient_of_[i]});
    for (std::size_t c = 0; c < sources.size(); ++c) scores[c].push_back((*sources[c])[i]);
  }
  Pool out = pooled(findings, rule.kind, scores);
  out.stopped = stopped_;
  return out;
}

Result<const FindingRows::Values*> Pooling::values(const std::string& metric) const {
  const FindingRows::Values* found = rows_.find(metric);
  if (found != nullptr) return found;
  return Error(ErrorCode::integrity, "rows.parquet has no rows of " + metric);
}

Result<const FindingRows::Values*> Pooling::count_values(const PoolRule& rule, std::string_view count) const {
  const std::string metric = rule.count_metric(count);
  if (const FindingRows::Values* found = rows_.find(metric)) return found;
  std::string plain = metric;
  for (const std::string_view ending : {"_ignore", "_partial"}) {
    if (plain.ends_with(ending)) plain.resize(plain.size() - ending.size());
  }
  for (const char* ending : {"", "_partial", "_ignore", "_partial_ignore"}) {
    if (const FindingRows::Values* found = rows_.find(plain + ending)) return found;
  }
  return values(metric);
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
      std::string pointer = "/groups/";
      pointer.append(kind).append("/").append(label);
      FIDUCIAL_TRY_DONE(expect_object(slots, pointer));
      const std::vector<std::size_t> chosen = rows.members(kind, label);
      std::string place = kind;
      place.append(" ").append(label).append(" ");
      FIDUCIAL_TRY_DONE(check_slots(slots, pooling, chosen, place).in_file(folder.path.string()));
    }
  }
  return done();
}

}  // namespace fiducial
