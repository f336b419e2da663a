#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/folder/comparison.h"
#include "fiducial/eval/folder/comparison_pool.h"
#include "fiducial/stats/mcnemar.h"
#include "fiducial/stats/permutation.h"

namespace fiducial {

// How two systems differ in one slot: the first minus the second.
struct SystemDifference {
  std::optional<double> value;
  std::optional<Interval> ci95;
  std::optional<PermutationTest> test;
  std::optional<McNemar> mcnemar;  // where each patient has one case, right or wrong
  std::string refusal;             // why there is no value although both systems have one
  std::int64_t wins = 0;           // findings where the first is better
  std::int64_t losses = 0;         // findings where the second is
  std::int64_t ties = 0;
  std::int64_t unpaired = 0;  // findings where one of them has no value
};

// One slot of every system, over all findings or a group of them.
struct SlotPools {
  PoolRule rule;
  std::vector<std::size_t> findings;
  std::vector<Pool> systems;
};

// Score folders that measure the same thing, with rows that agree with their summaries.
class ComparedSystems {
 public:
  static Result<ComparedSystems> open(const CompareRequest& request);

  const std::vector<ScoreFolder>& folders() const { return folders_; }
  const std::vector<PoolRule>& rules() const { return rules_; }  // in the order of the summary
  Result<PoolRule> find_rule(const std::string& slot) const;
  std::string usual_slot() const;
  std::size_t patients() const { return poolings_.front().patients(); }
  std::size_t findings() const { return rows_.front().findings.size(); }
  const ClusterBootstrap& bootstrap() const { return *bootstrap_; }

  Result<SlotPools> slot(const PoolRule& rule) const;  // over all findings
  // The groups of one kind, labelled and ordered as in the first summary; empty where rows do not tell them.
  Result<std::vector<std::pair<std::string, SlotPools>>> groups(const PoolRule& rule,
                                                                const std::string& kind) const;
  SystemDifference difference(const SlotPools& slot, std::size_t first, std::size_t second) const;

 private:
  ComparedSystems() = default;
  Outcome check_rows() const;
  Result<SlotPools> slot(const PoolRule& rule, std::vector<std::size_t> findings) const;
  std::optional<McNemar> mcnemar(const SlotPools& slot, std::size_t first, std::size_t second) const;
  void count_wins(const SlotPools& slot, std::size_t first, std::size_t second, SystemDifference& out) const;

  CompareRequest request_;
  std::vector<ScoreFolder> folders_;
  std::vector<FindingRows> rows_;
  std::vector<PoolRule> rules_;
  std::vector<Pooling> poolings_;  // look into rows_
  std::optional<ClusterBootstrap> bootstrap_;
};

}  // namespace fiducial
