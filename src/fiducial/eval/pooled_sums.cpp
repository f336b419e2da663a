#include "fiducial/eval/pooled_sums.h"

#include <map>

#include "fiducial/metrics/dice_formula.h"
#include "fiducial/stats/paired_difference.h"

namespace fiducial {

namespace {

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

// Shares of counted instances: the published scorer gives 1 where there is nothing to divide by.
ClusterBootstrap::Statistic share_of(PoolKind kind, Scorer scorer) {
  const bool official = scorer == Scorer::official;
  const auto share = [official](double part, double whole) -> std::optional<double> {
    if (whole == 0 && official) return 1.0;
    return ratio(part, whole);
  };
  return [=](std::span<const double> n) -> std::optional<double> {
    const auto precision = share(n[0], n[0] + n[1]);
    const auto recall = share(n[0], n[0] + n[2]);
    if (kind == PoolKind::precision) return precision;
    if (kind == PoolKind::recall) return recall;
    return official ? f1_of(*precision, *recall) : ratio(2 * n[0], 2 * n[0] + n[1] + n[2]);
  };
}

Pool empty_pool(const PooledFindings& of, std::size_t width, ClusterBootstrap::Statistic statistic) {
  return {width, std::vector<double>(of.patients * width), std::move(statistic), 0, false};
}

Pool pool_findings(const PooledFindings& of, const PoolColumn& scores) {
  Pool out = empty_pool(of, 2, mean_of);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    const std::size_t at = of.findings[i].patient * 2;
    out.sums[at] += *scores[i];
    out.sums[at + 1] += 1;
    ++out.n;
  }
  return out;
}

Pool pool_cases(const PooledFindings& of, const PoolColumn& scores) {
  struct Case {
    double sum = 0;
    double count = 0;
    std::size_t patient = 0;
  };
  std::map<std::string_view, Case> cases;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    Case& one = cases[of.findings[i].case_name];
    one.sum += *scores[i];
    one.count += 1;
    one.patient = of.findings[i].patient;
  }
  Pool out = empty_pool(of, 2, mean_of);
  for (const auto& [name, one] : cases) {
    out.sums[one.patient * 2] += one.sum / one.count;
    out.sums[one.patient * 2 + 1] += 1;
  }
  out.n = static_cast<std::int64_t>(cases.size());
  return out;
}

Pool pool_categories(const PooledFindings& of, const PoolColumn& scores) {
  std::map<std::string_view, std::size_t> numbers;
  for (const PooledFinding& finding : of.findings) numbers.emplace(finding.category, 0);
  std::size_t next = 0;
  for (auto& [category, number] : numbers) number = next++;
  Pool out = empty_pool(of, 2 * numbers.size(), mean_of_means);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    const PooledFinding& finding = of.findings[i];
    const std::size_t at = finding.patient * out.width + 2 * numbers.at(finding.category);
    out.sums[at] += *scores[i];
    out.sums[at + 1] += 1;
  }
  out.n = static_cast<std::int64_t>(numbers.size());
  return out;
}

Pool pool_matches(const PooledFindings& of, const PoolColumn& scores, const PoolColumn& matches) {
  Pool out = empty_pool(of, 2, mean_of);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i]) continue;
    const double weight = matches[i].value_or(0);
    const std::size_t at = of.findings[i].patient * 2;
    out.sums[at] += *scores[i] * weight;
    out.sums[at + 1] += weight;
    out.n += static_cast<std::int64_t>(weight);
  }
  return out;
}

Pool pool_shares(const PooledFindings& of, PoolKind kind, std::span<const PoolColumn> counts) {
  Pool out = empty_pool(of, 3, share_of(kind, of.scorer));
  const PoolColumn& tp = counts[0];
  const PoolColumn& fp = counts[1];
  const PoolColumn& fn = counts[2];
  for (std::size_t i = 0; i < tp.size(); ++i) {
    // Recall needs no false positives, which partial labels leave open.
    if (!tp[i] || !fn[i] || (!fp[i] && kind != PoolKind::recall)) continue;
    const std::size_t at = of.findings[i].patient * 3;
    out.sums[at] += *tp[i];
    out.sums[at + 1] += fp[i].value_or(0);
    out.sums[at + 2] += *fn[i];
    ++out.n;
  }
  return out;
}

}  // namespace

std::optional<double> Pool::value() const {
  if (stopped || n == 0) return std::nullopt;
  return statistic(summed(sums, width));
}

std::optional<Interval> Pool::interval95(const ClusterBootstrap& bootstrap) const {
  if (!value()) return std::nullopt;
  return bootstrap.interval95(sums, width, statistic);
}

Pool pooled(const PooledFindings& of, PoolKind kind, std::span<const PoolColumn> columns) {
  switch (kind) {
    case PoolKind::findings:
      return pool_findings(of, columns[0]);
    case PoolKind::cases:
      return pool_cases(of, columns[0]);
    case PoolKind::categories:
      return pool_categories(of, columns[0]);
    case PoolKind::matches:
      return pool_matches(of, columns[0], columns[1]);
    default:
      return pool_shares(of, kind, columns);
  }
}

}  // namespace fiducial
