#include "fiducial/eval/diagnostic_aggregate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

// The intervals of one group. Measures that are equal there, as two scorers often are, are resampled once.
class GroupIntervals {
 public:
  GroupIntervals(const ClusterBootstrap& bootstrap, std::span<const std::size_t> members)
      : bootstrap_(bootstrap), members_(members) {}

  std::optional<Interval> of(const std::vector<double>& sums, const std::vector<double>& counts) {
    for (const Known& each : known_) {
      if (each.sums == sums && each.counts == counts) return each.interval;
    }
    known_.push_back({sums, counts, interval_of(sums, counts)});
    return known_.back().interval;
  }

 private:
  struct Known {
    std::vector<double> sums;
    std::vector<double> counts;
    std::optional<Interval> interval;
  };
  struct Denominators {
    std::vector<double> counts;
    std::vector<double> totals;
  };

  std::optional<Interval> interval_of(const std::vector<double>& sums, const std::vector<double>& counts) {
    const auto contributing = std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0; });
    if (contributing < 2) return std::nullopt;
    return ratio_interval95(bootstrap_.totals(members_, sums), denominators(counts));
  }

  const std::vector<double>& denominators(const std::vector<double>& counts) {
    for (const Denominators& each : denominators_) {
      if (each.counts == counts) return each.totals;
    }
    denominators_.push_back({counts, bootstrap_.totals(members_, counts)});
    return denominators_.back().totals;
  }

  const ClusterBootstrap& bootstrap_;
  std::span<const std::size_t> members_;
  std::vector<Known> known_;
  std::vector<Denominators> denominators_;
};

std::vector<double> chosen(const std::vector<double>& of_cases, std::span<const std::size_t> members) {
  std::vector<double> out;
  out.reserve(members.size());
  for (const std::size_t member : members) out.push_back(of_cases[member]);
  return out;
}

std::int64_t whole(double value) { return static_cast<std::int64_t>(std::llround(value)); }

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Json slot_json(const CaseMeasure& measure, std::span<const std::size_t> members, GroupIntervals& intervals) {
  const std::vector<double> sums = chosen(measure.sums, members);
  const std::vector<double> counts = chosen(measure.counts, members);
  const double sum = sum_of(sums);
  const double count = sum_of(counts);
  const MetricContract& contract = *measure.contract;
  Json out = Json::object({{"value", count > 0 ? Json(sum / count) : Json()}, {"metric", contract.id}});
  if (count == 0) out.set("reason", measure.absence);
  const auto interval = count > 0 ? intervals.of(sums, counts) : std::nullopt;
  out.set("ci95", interval ? interval_ends(*interval) : Json());
  if (measure.is_share_of_cases && count > 0) {
    out.set("wilson95", interval_ends(wilson95(whole(sum), whole(count)))).set("correct", whole(sum));
  }
  const auto undefined = std::count(counts.begin(), counts.end(), 0.0);
  out.set("n", whole(count))
      .set("n_undefined", static_cast<std::int64_t>(undefined))
      .set("n_failed", whole(sum_of(chosen(measure.failed, members))));
  if (contract.unit != "1") out.set("unit", contract.unit);
  return out.set("better", to_string(contract.better)).set("version", contract.version);
}

PooledSlots pooled_over(const DiagnosticRun& run, const ClusterBootstrap& bootstrap,
                        std::span<const std::size_t> members) {
  PooledSlots out;
  GroupIntervals intervals(bootstrap, members);
  for (const Scorer scorer : run.scorers()) {
    const auto at = static_cast<std::size_t>(scorer);
    out.by_scorer[at] = Json::object({});
    for (const CaseMeasure& measure : run.measures[at]) {
      out.by_scorer[at].set(measure.slot, slot_json(measure, members, intervals));
    }
  }
  return out;
}

}  // namespace

Result<DiagnosticAggregator> DiagnosticAggregator::make(const DiagnosticRun& run, const Executor& executor) {
  DiagnosticAggregator out;
  out.groups_.emplace_back();
  out.groups_.front().members.resize(run.cases.size());
  std::iota(out.groups_.front().members.begin(), out.groups_.front().members.end(), std::size_t{0});
  FIDUCIAL_TRY(std::vector<DiagnosticGroup> groups, diagnostic_groups(run.cases, run.group_by));
  for (DiagnosticGroup& group : groups) out.groups_.push_back(std::move(group));
  out.pooled_.resize(out.groups_.size());
  const ClusterBootstrap bootstrap(run.cases.size(), run.resamples, run.seed);
  FIDUCIAL_TRY_DONE(
      executor.for_each(static_cast<std::int64_t>(out.groups_.size()), [&](std::int64_t at) -> Outcome {
        const auto group = static_cast<std::size_t>(at);
        out.pooled_[group] = pooled_over(run, bootstrap, out.groups_[group].members);
        return done();
      }));
  return out;
}

Json DiagnosticAggregator::groups(Scorer scorer) const {
  Json out = Json::object({});
  for (std::size_t begin = 1; begin < groups_.size();) {
    const std::string& kind = groups_[begin].kind;
    Json::Object labels;
    std::size_t end = begin;
    for (; end < groups_.size() && groups_[end].kind == kind; ++end) {
      labels.emplace_back(groups_[end].label, pooled_[end].by_scorer[static_cast<std::size_t>(scorer)]);
    }
    out.set(kind, std::move(labels));
    begin = end;
  }
  return out;
}

Json interval_ends(const Interval& interval) { return Json::array({interval.low, interval.high}); }

}  // namespace fiducial
