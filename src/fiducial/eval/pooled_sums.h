#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fiducial/metrics/metric.h"
#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// How scores of findings become one number: means over findings, over cases or over categories, shares of
// counted instances, and the mean over matched instances.
enum class PoolKind { findings, cases, categories, precision, recall, f1, matches };

// What pooling must know about a finding.
struct PooledFinding {
  std::string_view case_name;
  std::string_view category;
  std::size_t patient = 0;  // numbered from 0
};

// The scores of one metric, beside the findings that are pooled; nothing where a score is undefined.
using PoolColumn = std::vector<std::optional<double>>;

// Findings to pool, and by whose rules.
struct PooledFindings {
  Scorer scorer = Scorer::strict;
  std::size_t patients = 0;  // of the whole run: intervals resample all of them
  std::vector<PooledFinding> findings;
};

// Sums for each patient, and how they become the value.
struct Pool {
  std::size_t width = 0;
  std::vector<double> sums;  // patient by patient
  ClusterBootstrap::Statistic statistic;
  std::int64_t n = 0;    // cases, categories, findings or matches behind the value
  bool stopped = false;  // the published scorer stops at a prediction of this run, and gives nothing

  std::optional<double> value() const;
  std::optional<Interval> interval95(const ClusterBootstrap& bootstrap) const;
};

// Pools the columns that a kind needs: the scores and their numbers of matches for `matches`; true positives,
// false positives and false negatives for shares; the scores alone for means. A finding without false
// positives, as partial labels leave it, counts for recall only.
Pool pooled(const PooledFindings& of, PoolKind kind, std::span<const PoolColumn> columns);

}  // namespace fiducial
