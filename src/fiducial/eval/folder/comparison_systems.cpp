#include "fiducial/eval/folder/comparison_systems.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <span>
#include <string_view>

#include "fiducial/base/suggestion.h"
#include "fiducial/eval/judge/judged_scores.h"

namespace fiducial {

namespace {

// Patients of whom either system has something to say.
std::int64_t contributing_patients(const PairedSums& pair) {
  const auto says = [&pair](std::span<const double> sums, std::size_t first) {
    const auto row = sums.subspan(first, pair.width);
    return std::any_of(row.begin(), row.end(), [](double sum) { return sum != 0; });
  };
  std::int64_t out = 0;
  for (std::size_t first = 0; first < pair.a.size(); first += pair.width)
    out += says(pair.a, first) || says(pair.b, first) ? 1 : 0;
  return out;
}

}  // namespace

Result<ComparedSystems> ComparedSystems::open(const CompareRequest& request) {
  ComparedSystems out;
  out.request_ = request;
  for (const Path& path : request.folders) {
    FIDUCIAL_TRY(ScoreFolder folder, read_score_folder(path));
    out.folders_.push_back(std::move(folder));
  }
  FIDUCIAL_TRY_DONE(check_comparable(out.folders_, request.scorer));
  for (const ScoreFolder& folder : out.folders_) {
    FIDUCIAL_TRY(FindingRows rows, finding_rows(folder.rows, request.scorer).in_file(folder.path.string()));
    FIDUCIAL_TRY_DONE(check_summary(folder, rows, request.scorer));
    out.rows_.push_back(std::move(rows));
  }
  FIDUCIAL_TRY_DONE(out.check_rows());
  FIDUCIAL_TRY(out.rules_, pool_rules(out.folders_.front(), request.scorer));
  std::erase_if(out.rules_, [&out](const PoolRule& rule) {
    return std::any_of(out.rows_.begin(), out.rows_.end(), [&rule](const FindingRows& rows) {
      return !rows.weights.empty() && rows.find(rule.metric) == nullptr;
    });
  });
  for (const FindingRows& rows : out.rows_) out.poolings_.emplace_back(rows, request.scorer);
  out.bootstrap_.emplace(out.patients(), request.resamples, request.seed);
  return out;
}

// Equal plans give rows of the same findings, unless a table was changed.
Outcome ComparedSystems::check_rows() const {
  const auto same = [](const FindingRow& a, const FindingRow& b) {
    return a.case_name == b.case_name && a.finding == b.finding && a.patient == b.patient &&
           a.category == b.category;
  };
  const std::vector<FindingRow>& first = rows_.front().findings;
  for (std::size_t s = 1; s < rows_.size(); ++s) {
    const std::vector<FindingRow>& other = rows_[s].findings;
    if (std::equal(first.begin(), first.end(), other.begin(), other.end(), same)) continue;
    return Error(ErrorCode::integrity, "rows.parquet holds other findings than that of the first folder",
                 Place{.path = folders_[s].path.string()});
  }
  if (!first.empty()) return done();
  return Error(ErrorCode::invalid_data, "rows.parquet holds no finding",
               Place{.path = folders_.front().path.string()});
}

Result<PoolRule> ComparedSystems::find_rule(const std::string& slot) const {
  std::vector<std::string> known;
  for (const PoolRule& rule : rules_) {
    if (rule.slot == slot) return rule;
    known.push_back(rule.slot);
  }
  return no_such_name(std::string(to_string(request_.scorer)) + " value", slot, known);
}

std::string ComparedSystems::usual_slot() const {
  std::vector<std::string> wanted;
  if (request_.headline_of != nullptr) wanted = request_.headline_of(folders_.front().plan);
  wanted.emplace_back("dice_per_case");
  for (const std::string& slot : wanted) {
    if (find_rule(slot).ok()) return slot;
  }
  return rules_.empty() ? wanted.back() : rules_.front().slot;
}

Result<SlotPools> ComparedSystems::slot(const PoolRule& rule) const {
  std::vector<std::size_t> all(findings());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return slot(rule, std::move(all));
}

Result<SlotPools> ComparedSystems::slot(const PoolRule& rule, std::vector<std::size_t> findings) const {
  SlotPools out{rule, std::move(findings), {}};
  for (const Pooling& pooling : poolings_) {
    FIDUCIAL_TRY(Pool pool, pooling.pool(rule, out.findings));
    out.systems.push_back(std::move(pool));
  }
  return out;
}

Result<std::vector<std::pair<std::string, SlotPools>>> ComparedSystems::groups(
    const PoolRule& rule, const std::string& kind) const {
  std::vector<std::pair<std::string, SlotPools>> out;
  const auto labels = rows_.front().groups.find(kind);
  const Json* recorded = folders_.front().groups(request_.scorer)->find(kind);
  if (labels == rows_.front().groups.end() || recorded == nullptr || recorded->as_object() == nullptr)
    return out;
  for (const auto& [label, slots] : *recorded->as_object()) {
    FIDUCIAL_TRY(SlotPools pools, slot(rule, rows_.front().members(kind, label)));
    out.emplace_back(label, std::move(pools));
  }
  return out;
}

SystemDifference ComparedSystems::difference(const SlotPools& slot, std::size_t first,
                                             std::size_t second) const {
  SystemDifference out;
  count_wins(slot, first, second, out);
  const Pool& a = slot.systems[first];
  const Pool& b = slot.systems[second];
  if (!a.value() || !b.value()) return out;
  const double difference = *a.value() - *b.value();
  out.refusal =
      refused_difference(folders_[first].summary, folders_[second].summary, slot.rule.slot, difference);
  if (!out.refusal.empty()) return out;
  const PairedSums pair{a.sums, b.sums, a.width};
  out.value = difference;
  if (contributing_patients(pair) >= least_resampled)
    out.ci95 = with_width(paired_interval95(pair, a.statistic, *bootstrap_));
  out.mcnemar = mcnemar(slot, first, second);
  if (out.mcnemar) {  // of one yes or no a patient, exchanging them all is McNemar's exact test
    out.test = PermutationTest{.p = out.mcnemar->exact_p(), .permutations = 0, .exact = true};
    return out;
  }
  out.test = permutation_test(pair, a.statistic, {.permutations = request_.resamples, .seed = request_.seed});
  return out;
}

std::optional<McNemar> ComparedSystems::mcnemar(const SlotPools& slot, std::size_t first,
                                                std::size_t second) const {
  McNemar out;
  std::set<std::string_view> patients;
  for (const std::size_t i : slot.findings) {
    // Several of one patient are no independent trials: they are exchanged together.
    if (!patients.insert(rows_[first].findings[i].patient).second) return std::nullopt;
    std::array<double, 2> values{};
    for (std::size_t s = 0; s < values.size(); ++s) {
      const FindingRows& rows = rows_[s == 0 ? first : second];
      const FindingRows::Values* found = rows.find(slot.rule.metric);
      const std::vector<double>* weights = rows.find_weights(slot.rule.metric);
      if (found == nullptr || weights == nullptr || !(*found)[i] || (*weights)[i] != 1) return std::nullopt;
      values[s] = *(*found)[i];
      if (values[s] != 0 && values[s] != 1) return std::nullopt;
    }
    out.only_first += values[0] > values[1] ? 1 : 0;
    out.only_second += values[0] < values[1] ? 1 : 0;
  }
  return out;
}

void ComparedSystems::count_wins(const SlotPools& slot, std::size_t first, std::size_t second,
                                 SystemDifference& out) const {
  const FindingRows::Values* a = rows_[first].find(slot.rule.metric);
  const FindingRows::Values* b = rows_[second].find(slot.rule.metric);
  if (a == nullptr || b == nullptr) return;
  for (const std::size_t i : slot.findings) {
    if (!(*a)[i] || !(*b)[i]) {
      ++out.unpaired;
    } else if (*(*a)[i] == *(*b)[i] || slot.rule.better == Direction::none) {
      ++out.ties;
    } else {
      const bool first_is_better = (*(*a)[i] > *(*b)[i]) == (slot.rule.better == Direction::higher);
      ++(first_is_better ? out.wins : out.losses);
    }
  }
}

}  // namespace fiducial
