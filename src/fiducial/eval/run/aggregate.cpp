#include "fiducial/eval/run/aggregate.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/interruption.h"
#include "fiducial/base/number_text.h"
#include "fiducial/eval/run/outcome_draws.h"
#include "fiducial/stats/paired_difference.h"
#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

std::int64_t whole(double value) { return static_cast<std::int64_t>(std::llround(value)); }

// What is counted beside a value.
struct UnitCounts {
  double n = 0;
  double undefined = 0;
  double failed = 0;
};

// The values of one group. Measures with the same sums and weights, as two scorers often have, are resampled
// once.
class GroupPooler {
 public:
  GroupPooler(const ScoreRun& run, const PooledUnits& units, const UnitGroup& group, const GroupDraws& draws)
      : run_(run), units_(units), group_(group), draws_(draws) {}

  // Resamples the ratios of the group together, as each draw is fetched once for all of them.
  void resample_ratios(bool is_group) {
    const std::vector<RatioSums> all = ratios(is_group);
    if (all.size() < 2) return;
    std::vector<double> sums(group_.patients.size() * all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t i = 0; i < group_.patients.size(); ++i) sums[i * all.size() + k] = all[k].tops[i];
    }
    const ClusterBootstrap::Totals tops = draws_.bootstrap.totals_of(group_.patients, sums, all.size());
    for (std::size_t k = 0; k < tops.size(); ++k) {
      const UnitValues* weights = all[k].column->weights.get();
      known_.push_back({all[k].column->sums.get(), weights,
                        ratio_interval95(tops[k], denominators(weights, all[k].bottoms))});
    }
  }

  SlotValue slot(const Measure& measure) {
    const ScoreColumn& column = run_.columns[measure.column];
    SlotValue out{.measure = &measure, .column = &column};
    const PooledSums sums = measure.corpus
                                ? pooled_bleu(*measure.corpus, group_)
                                : pooled_sums(measure.statistic, units_, group_, columns_of(measure));
    count(measure, sums, out);
    const bool is_stopped = column.scorer == Scorer::official && !run_.official_stopped.empty();
    const auto function = function_of(measure.statistic);
    if (out.n > 0 && !is_stopped && has_weight(measure, sums))
      out.value = function(summed(sums.sums, sums.width));
    if (out.value) {
      if (!measure.is_share_of_cases) out.ci95 = interval_of(measure, sums, function);
    } else {
      out.reason = is_stopped ? run_.official_stopped : reason_of(measure, out.n);
    }
    if (measure.is_share_of_cases && out.value) add_share(sums, out);
    out.ci95 = with_width(out.ci95);
    if (out.value && !measure.is_share_of_cases && out.patients < least_resampled) {
      out.ci95.reset();
      out.no_interval = "fewer than " + decimal(least_resampled) + " patients";
    }
    out.ceiling = ceiling_of(measure);
    out.floor = other_value(measure, &ScoreColumn::floor);
    return out;
  }

 private:
  struct KnownInterval {
    const UnitValues* sums;
    const UnitValues* weights;
    std::optional<Interval> interval;
  };
  struct KnownTotals {
    const UnitValues* values;
    std::vector<double> totals;
  };

  struct CorpusTotals {
    const std::vector<BleuCounts>* counts = nullptr;
    ClusterBootstrap::Totals totals;
  };

  std::vector<PooledColumn> columns_of(const Measure& measure) const {
    std::vector<PooledColumn> out;
    if (!measure.statistic.is_share()) out.push_back(run_.columns[measure.column].pooled());
    for (const std::size_t column : measure.counts) out.push_back(run_.columns[column].pooled());
    return out;
  }

  // The value that another prediction gives, whose scores `of` finds in a column.
  std::optional<double> other_value(const Measure& measure, PooledColumn (ScoreColumn::*of)() const) const {
    std::vector<PooledColumn> columns;
    std::vector<std::size_t> places = measure.counts;
    if (!measure.statistic.is_share()) places.insert(places.begin(), measure.column);
    for (const std::size_t at : places) {
      columns.push_back((run_.columns[at].*of)());
      if (columns.back().sums == nullptr) return std::nullopt;
    }
    const PooledSums sums = pooled_sums(measure.statistic, units_, group_, columns);
    if (sums.n == 0 || !has_weight(measure, sums)) return std::nullopt;
    return function_of(measure.statistic)(summed(sums.sums, sums.width));
  }

  // What the reference gets as its own prediction, where it does not get all there is.
  std::optional<double> ceiling_of(const Measure& measure) const {
    const std::optional<double> value = other_value(measure, &ScoreColumn::best);
    return value && *value < 1 ? value : std::nullopt;
  }

  // BLEU has a value where there is any text, whatever its counts are.
  static bool has_weight(const Measure& measure, const PooledSums& sums) {
    if (measure.statistic.kind != Statistic::Kind::ratio) return true;
    for (std::size_t i = 1; i < sums.sums.size(); i += 2) {
      if (sums.sums[i] > 0) return true;
    }
    return false;
  }

  void count(const Measure& measure, const PooledSums& sums, SlotValue& out) const {
    const ScoreColumn& column = run_.columns[measure.column];
    const auto kind = measure.statistic.kind;
    if (kind == Statistic::Kind::case_means) {
      count_cases(column, out);
    } else {
      const bool is_weighed = kind == Statistic::Kind::ratio || kind == Statistic::Kind::corpus_bleu;
      const UnitCounts counted = is_weighed ? weighed(column) : gaps(run_.columns[gap_column(measure)]);
      out.n = is_weighed ? whole(counted.n) : sums.n;
      out.n_undefined = whole(counted.undefined);
      out.n_failed = whole(counted.failed);
    }
    for (std::size_t i = 0; i < group_.patients.size(); ++i) {
      const auto row = std::span(sums.sums).subspan(i * sums.width, sums.width);
      out.patients += std::any_of(row.begin(), row.end(), [](double sum) { return sum != 0; }) ? 1 : 0;
    }
  }

  // The column whose gaps leave units out: false positives for what needs them.
  static std::size_t gap_column(const Measure& measure) {
    switch (measure.statistic.kind) {
      case Statistic::Kind::precision:
      case Statistic::Kind::f1:
        return measure.counts[1];
      case Statistic::Kind::recall:
        return measure.counts[2];
      default:
        return measure.column;
    }
  }

  UnitCounts weighed(const ScoreColumn& column) const {
    UnitCounts out;
    for (const std::uint32_t unit : group_.members) {
      const double weight = (*column.weights)[unit];
      const double asked = (*column.asked)[unit];
      const double counted = column.counts_asked ? asked : weight;
      out.n += counted;
      out.failed += (*column.failed)[unit];
      out.undefined += weight > 0 ? std::max(0.0, asked - counted) : asked;
    }
    return out;
  }

  UnitCounts gaps(const ScoreColumn& column) const {
    UnitCounts out;
    for (const std::uint32_t unit : group_.members) {
      out.failed += (*column.failed)[unit];
      out.undefined += (*column.weights)[unit] > 0 ? 0 : (*column.asked)[unit];
    }
    return out;
  }

  // Where the value is over cases, failures and undefined scores are counted in cases too.
  void count_cases(const ScoreColumn& column, SlotValue& out) const {
    for (std::size_t i = 0; i < group_.members.size();) {
      const std::uint32_t of_case = units_.cases[group_.members[i]];
      bool is_asked = false, is_scored = false, is_failed = false;
      for (; i < group_.members.size() && units_.cases[group_.members[i]] == of_case; ++i) {
        const std::uint32_t unit = group_.members[i];
        is_asked |= (*column.asked)[unit] > 0;
        is_scored |= (*column.weights)[unit] > 0;
        is_failed |= (*column.failed)[unit] > 0;
      }
      out.n += is_scored ? 1 : 0;
      out.n_undefined += is_asked && !is_scored ? 1 : 0;
      out.n_failed += is_failed ? 1 : 0;
    }
  }

  std::string reason_of(const Measure& measure, std::int64_t n) const {
    const SharedValues& excused = run_.columns[measure.column].excused;
    if (n > 0) return measure.absence;
    if (!excused) return with_shared_reason(measure);
    const bool is_excused = std::any_of(group_.members.begin(), group_.members.end(),
                                        [&](std::uint32_t unit) { return (*excused)[unit] > 0; });
    return is_excused ? measure.excuse : measure.absence;
  }

  // Why nothing was counted, with the reason of the units where all of them have the same.
  std::string with_shared_reason(const Measure& measure) const {
    const SharedValues& marks = run_.columns[measure.column].marks;
    std::string shared;
    for (std::size_t i = 0; marks && i < group_.members.size(); ++i) {
      const RowMark& mark = run_.marks[static_cast<std::size_t>((*marks)[group_.members[i]])];
      if (mark.status != "undefined" || mark.reason.empty() || (i > 0 && mark.reason != shared))
        return measure.absence;
      shared = mark.reason;
    }
    if (shared.empty() || measure.absence.find(shared) != std::string::npos) return measure.absence;
    return measure.absence + ": " + shared;
  }

  std::optional<Interval> interval_of(const Measure& measure, const PooledSums& sums,
                                      const ClusterBootstrap::Statistic& function) {
    if (measure.statistic.kind == Statistic::Kind::ratio)
      return ratio_interval(run_.columns[measure.column], sums);
    if (measure.corpus) return draws_.bootstrap.interval95_from(corpus_totals(measure, sums), function);
    return draws_.bootstrap.interval95_of(group_.patients, sums.sums, sums.width, function);
  }

  // BLEU of every order is made of the same counts, one measure after the other.
  const ClusterBootstrap::Totals& corpus_totals(const Measure& measure, const PooledSums& sums) {
    if (corpus_.counts != measure.corpus.get()) {
      corpus_ = {measure.corpus.get(), draws_.bootstrap.totals_of(group_.patients, sums.sums, sums.width)};
    }
    return corpus_.totals;
  }

  // A ratio that is to be resampled: its sums and weights, by patient.
  struct RatioSums {
    const ScoreColumn* column;
    std::vector<double> tops;
    std::vector<double> bottoms;

    RatioSums(const ScoreColumn& of, const PooledSums& sums) : column(&of) {
      for (std::size_t i = 0; i < sums.sums.size(); i += 2) {
        tops.push_back(sums.sums[i]);
        bottoms.push_back(sums.sums[i + 1]);
      }
    }
    bool has_interval() const {
      return std::count_if(bottoms.begin(), bottoms.end(), [](double n) { return n > 0; }) >= least_resampled;
    }
  };

  const KnownInterval* find_interval(const ScoreColumn& column) const {
    for (const KnownInterval& each : known_) {
      if (each.sums == column.sums.get() && each.weights == column.weights.get()) return &each;
    }
    return nullptr;
  }

  std::optional<Interval> ratio_interval(const ScoreColumn& column, const PooledSums& sums) {
    if (const KnownInterval* known = find_interval(column)) return known->interval;
    const RatioSums ratio(column, sums);
    std::optional<Interval> interval;
    if (ratio.has_interval()) {
      interval = ratio_interval95(draws_.totals(column.sums.get(), group_, ratio.tops),
                                  denominators(column.weights.get(), ratio.bottoms));
    }
    known_.push_back({column.sums.get(), column.weights.get(), interval});
    return interval;
  }

  bool has_ratio_interval(const Measure& measure) const {
    const ScoreColumn& column = run_.columns[measure.column];
    const bool is_stopped = column.scorer == Scorer::official && !run_.official_stopped.empty();
    return measure.statistic.kind == Statistic::Kind::ratio && !measure.is_share_of_cases &&
           !measure.corpus && !is_stopped;
  }

  // The ratios of the group whose sums are not counted by bits.
  std::vector<RatioSums> ratios(bool is_group) const {
    std::vector<RatioSums> out;
    for (const Measure& measure : run_.measures) {
      if (!has_ratio_interval(measure) || (is_group && !measure.has_groups)) continue;
      const ScoreColumn& column = run_.columns[measure.column];
      const bool is_there = std::any_of(out.begin(), out.end(), [&](const RatioSums& each) {
        return each.column->sums == column.sums && each.column->weights == column.weights;
      });
      if (is_there || draws_.bits.of_values(column.sums.get())) continue;
      RatioSums ratio(column, pooled_sums(measure.statistic, units_, group_, columns_of(measure)));
      if (ratio.has_interval()) out.push_back(std::move(ratio));
    }
    return out;
  }

  const std::vector<double>& denominators(const UnitValues* weights, std::span<const double> values) {
    for (const KnownTotals& each : totals_) {
      if (each.values == weights) return each.totals;
    }
    totals_.push_back({weights, draws_.totals(weights, group_, values)});
    return totals_.back().totals;
  }

  static void add_share(const PooledSums& sums, SlotValue& out) {
    const std::vector<double> total = summed(sums.sums, sums.width);
    out.correct = whole(total[0]);
    out.wilson95 = wilson95(out.correct, whole(total[1]));
    out.ci95 = out.wilson95;
  }

  const ScoreRun& run_;
  const PooledUnits& units_;
  const UnitGroup& group_;
  const GroupDraws& draws_;
  std::vector<KnownInterval> known_;
  std::vector<KnownTotals> totals_;
  CorpusTotals corpus_;  // of the last measure that had one
};

PooledGroup pooled_group(const ScoreRun& run, GroupPooler pooler, PooledGroup out) {
  const bool is_group = !out.kind.empty();
  pooler.resample_ratios(is_group);
  for (const Measure& measure : run.measures) {
    if (is_group && !measure.has_groups) continue;
    SlotValue slot = pooler.slot(measure);
    if (is_group && run.is_sparse && slot.patients == 0) continue;
    out.by_scorer[static_cast<std::size_t>(slot.column->scorer)].push_back(std::move(slot));
  }
  return out;
}

// Pools everything and all groups, batch by batch.
class RunPooler {
 public:
  explicit RunPooler(const ScoreRun& run)
      : run_(run),
        units_(run.pooled_units()),
        bootstrap_(units_.patient_count, run.resamples, run.seed),
        bits_(run, units_) {}

  Result<PooledRun> pool(const Executor& executor) {
    named_.emplace_back();
    members_.push_back(nullptr);
    for (const GroupKind& kind : run_.groups) {
      for (const LabelledUnits& group : kind.groups) {
        named_.push_back({.kind = kind.kind, .label = group.label});
        members_.push_back(&group);
      }
    }
    DrawnCounts counts;
    for (std::size_t begin = 0; begin < named_.size();) {
      FIDUCIAL_TRY(const std::size_t pooled, pool_batch(begin, counts, executor));
      begin += pooled;
    }
    PooledRun out{.all = std::move(named_.front())};
    for (std::size_t i = 1; i < named_.size(); ++i) {
      if (!run_.is_sparse || !named_[i].empty()) out.groups.push_back(std::move(named_[i]));
    }
    return out;
  }

 private:
  static Outcome go_on() {
    if (!stop_requested()) return done();
    return Error(ErrorCode::interrupted, "stopped; nothing was written");
  }

  UnitGroup group_at(std::size_t at) const {
    return members_[at] == nullptr ? UnitGroup::all(units_) : UnitGroup::of(units_, members_[at]->members);
  }

  Result<std::size_t> pool_batch(std::size_t begin, DrawnCounts& counts, const Executor& executor) {
    OutcomeBatch batch(bits_);
    std::vector<UnitGroup> groups;
    while (begin + groups.size() < named_.size() && !batch.is_full()) {
      groups.push_back(group_at(begin + groups.size()));
      batch.add(groups.back());
    }
    FIDUCIAL_TRY_DONE(go_on());
    FIDUCIAL_TRY(counts, bootstrap_.drawn_counts(batch.sets(), executor, std::move(counts)));
    FIDUCIAL_TRY_DONE(go_on());
    const auto size = static_cast<std::int64_t>(groups.size());
    FIDUCIAL_TRY_DONE(executor.for_each(size, [&](std::int64_t index) -> Outcome {
      const auto at = static_cast<std::size_t>(index);
      const GroupDraws draws{bootstrap_, bits_, counts, batch.of_group(at)};
      PooledGroup& out = named_[begin + at];
      out.patients = static_cast<std::int64_t>(groups[at].patients.size());
      out = pooled_group(run_, GroupPooler(run_, units_, groups[at], draws), std::move(out));
      return done();
    }));
    return groups.size();
  }

  const ScoreRun& run_;
  PooledUnits units_;
  ClusterBootstrap bootstrap_;
  OutcomeBits bits_;
  std::vector<PooledGroup> named_;             // the first is everything
  std::vector<const LabelledUnits*> members_;  // beside them
};

}  // namespace

Result<PooledRun> pooled(const ScoreRun& run, const Executor& executor) {
  return RunPooler(run).pool(executor);
}

}  // namespace fiducial
