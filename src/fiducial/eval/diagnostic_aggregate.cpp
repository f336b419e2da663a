#include "fiducial/eval/diagnostic_aggregate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

std::vector<double> chosen(const std::vector<double>& of_cases, std::span<const std::size_t> members) {
  std::vector<double> out;
  out.reserve(members.size());
  for (const std::size_t member : members) out.push_back(of_cases[member]);
  return out;
}

// What every case adds to the measures of a run, as far as it is 0 or 1: a bit a column, and one for columns
// that are equal. A group need only know how often each pattern of bits was drawn.
class OutcomeBits {
 public:
  explicit OutcomeBits(const DiagnosticRun& run) : of_cases_(run.cases.size()) {
    for (const Scorer scorer : run.scorers()) {
      for (const CaseMeasure& measure : run.measures[static_cast<std::size_t>(scorer)]) {
        add(measure.sums);
        add(measure.counts);
      }
    }
  }

  std::uint64_t of_case(std::size_t at) const { return of_cases_[at]; }

  // The bit of a column of this run; nothing where the column has other values.
  std::optional<unsigned> of_column(const std::vector<double>& column) const {
    const auto found = of_columns_.find(&column);
    return found == of_columns_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static constexpr std::size_t max_bits = 64;

  void add(const std::vector<double>& column) {
    const auto equal = std::find_if(distinct_.begin(), distinct_.end(),
                                    [&column](const auto* other) { return *other == column; });
    const auto bit = static_cast<unsigned>(equal - distinct_.begin());
    if (equal == distinct_.end()) {
      const bool is_binary =
          std::all_of(column.begin(), column.end(), [](double value) { return value == 0 || value == 1; });
      if (!is_binary || distinct_.size() == max_bits) return;
      distinct_.push_back(&column);
      for (std::size_t i = 0; i < column.size(); ++i) {
        of_cases_[i] |= std::uint64_t{column[i] == 1 ? 1U : 0U} << bit;
      }
    }
    of_columns_.emplace(&column, bit);
  }

  std::vector<const std::vector<double>*> distinct_;
  std::map<const std::vector<double>*, unsigned> of_columns_;
  std::vector<std::uint64_t> of_cases_;
};

// Members of a group with the same bits, as one of many sets whose draws are counted at once.
struct OutcomeSet {
  std::uint64_t bits = 0;
  std::size_t set = 0;
};

constexpr std::size_t bleu_orders = longest_ngram;
constexpr std::size_t bleu_parts = 2 * bleu_orders + 2;

// What BLEU adds up, as one row of numbers and back.
std::array<double, bleu_parts> parts_of(const BleuCounts& counts) {
  std::array<double, bleu_parts> out{};
  for (std::size_t n = 0; n < bleu_orders; ++n) {
    out[n] = static_cast<double>(counts.matches[n]);
    out[bleu_orders + n] = static_cast<double>(counts.possible[n]);
  }
  out[2 * bleu_orders] = static_cast<double>(counts.prediction_words);
  out[2 * bleu_orders + 1] = static_cast<double>(counts.reference_words);
  return out;
}

BleuCounts counts_of(std::span<const double> parts) {
  BleuCounts out;
  for (std::size_t n = 0; n < bleu_orders; ++n) {
    out.matches[n] = std::llround(parts[n]);
    out.possible[n] = std::llround(parts[bleu_orders + n]);
  }
  out.prediction_words = std::llround(parts[2 * bleu_orders]);
  out.reference_words = std::llround(parts[2 * bleu_orders + 1]);
  return out;
}

double corpus_bleu_of(const CaseMeasure& measure, std::span<const std::size_t> members) {
  BleuCounts sum;
  for (const std::size_t member : members) sum += (*measure.corpus)[member];
  return bleu_add_one(sum, measure.order);
}

// The intervals of one group. Measures that are equal there, as two scorers often are, are resampled once.
class GroupIntervals {
 public:
  struct Draws {
    const ClusterBootstrap& bootstrap;
    const OutcomeBits& bits;
    const DrawnCounts& counts;
  };

  GroupIntervals(const Draws& draws, std::span<const std::size_t> members, std::span<const OutcomeSet> sets)
      : draws_(draws), members_(members), sets_(sets) {}

  std::optional<Interval> of(const CaseMeasure& measure) {
    if (measure.corpus) return of_corpus(measure);
    std::vector<double> sums = chosen(measure.sums, members_);
    std::vector<double> counts = chosen(measure.counts, members_);
    for (const Known& each : known_) {
      if (each.sums == sums && each.counts == counts) return each.interval;
    }
    const auto contributing = std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0; });
    std::optional<Interval> interval;
    if (contributing >= 2) {
      interval = ratio_interval95(totals(measure.sums, sums), denominators(measure.counts, counts));
    }
    known_.push_back({std::move(sums), std::move(counts), interval});
    return interval;
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

  std::optional<Interval> of_corpus(const CaseMeasure& measure) const {
    std::vector<double> sums;
    for (const std::size_t member : members_) {
      const auto parts = parts_of((*measure.corpus)[member]);
      sums.insert(sums.end(), parts.begin(), parts.end());
    }
    return draws_.bootstrap.interval95_of(members_, sums, bleu_parts,
                                          [&measure](std::span<const double> parts) -> std::optional<double> {
                                            return bleu_add_one(counts_of(parts), measure.order);
                                          });
  }

  // Of a column of all cases, whose values for the members are these.
  std::vector<double> totals(const std::vector<double>& column, const std::vector<double>& values) const {
    const auto bit = draws_.bits.of_column(column);
    if (!bit) return draws_.bootstrap.totals(members_, values);
    std::vector<double> out(draws_.bootstrap.resamples());
    for (const OutcomeSet& each : sets_) {
      if ((each.bits >> *bit & 1U) == 0) continue;
      const std::span<const std::uint32_t> drawn = draws_.counts.of(each.set);
      for (std::size_t r = 0; r < out.size(); ++r) out[r] += drawn[r];
    }
    return out;
  }

  const std::vector<double>& denominators(const std::vector<double>& column,
                                          const std::vector<double>& counts) {
    for (const Denominators& each : denominators_) {
      if (each.counts == counts) return each.totals;
    }
    denominators_.push_back({counts, totals(column, counts)});
    return denominators_.back().totals;
  }

  const Draws& draws_;
  std::span<const std::size_t> members_;
  std::span<const OutcomeSet> sets_;
  std::vector<Known> known_;
  std::vector<Denominators> denominators_;
};

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
  const double value = measure.corpus ? corpus_bleu_of(measure, members) : sum / count;
  Json out = Json::object({{"value", count > 0 ? Json(value) : Json()}, {"metric", contract.id}});
  if (count == 0) out.set("reason", measure.absence);
  const auto interval = count > 0 ? intervals.of(measure) : std::nullopt;
  out.set("ci95", interval ? interval_ends(*interval) : Json());
  if (measure.is_share_of_cases && count > 0) {
    out.set("wilson95", interval_ends(wilson95(whole(sum), whole(count)))).set("correct", whole(sum));
  }
  const auto undefined = std::count(counts.begin(), counts.end(), 0.0);
  out.set("n", whole(count))
      .set("n_undefined", static_cast<std::int64_t>(undefined))
      .set("n_failed", whole(sum_of(chosen(measure.failed, members))));
  if (measure.corpus) out.set("over", "corpus");
  if (contract.unit != "1") out.set("unit", contract.unit);
  return out.set("better", to_string(contract.better)).set("version", contract.version);
}

// Over a group of cases, or over everyone.
PooledSlots pooled_over(const DiagnosticRun& run, const DiagnosticGroup& group, GroupIntervals intervals) {
  PooledSlots out;
  for (const Scorer scorer : run.scorers()) {
    const auto at = static_cast<std::size_t>(scorer);
    out.by_scorer[at] = Json::object({});
    for (const CaseMeasure& measure : run.measures[at]) {
      if (measure.corpus && !group.kind.empty()) continue;
      out.by_scorer[at].set(measure.slot, slot_json(measure, group.members, intervals));
    }
  }
  return out;
}

// Groups whose draws are counted together: so many that fetching draws costs little, so few that their counts
// do not fill the memory.
class GroupBatch {
 public:
  explicit GroupBatch(const OutcomeBits& bits) : bits_(bits) {}

  void add(std::span<const std::size_t> members) {
    std::map<std::uint64_t, std::vector<std::size_t>> by_bits;
    for (const std::size_t member : members) by_bits[bits_.of_case(member)].push_back(member);
    std::vector<OutcomeSet>& own = of_groups_.emplace_back();
    for (auto& [bits, drawn_together] : by_bits) {
      own.push_back({bits, sets_.size()});
      sets_.push_back(std::move(drawn_together));
    }
  }

  bool is_full() const { return sets_.size() >= 512; }
  std::size_t size() const { return of_groups_.size(); }
  std::span<const std::vector<std::size_t>> sets() const { return sets_; }
  std::span<const OutcomeSet> of_group(std::size_t at) const { return of_groups_[at]; }

 private:
  const OutcomeBits& bits_;
  std::vector<std::vector<std::size_t>> sets_;
  std::vector<std::vector<OutcomeSet>> of_groups_;
};

}  // namespace

Result<DiagnosticAggregator> DiagnosticAggregator::make(const DiagnosticRun& run, const Executor& executor) {
  DiagnosticAggregator out;
  out.groups_.emplace_back();
  out.groups_.front().members.resize(run.cases.size());
  std::iota(out.groups_.front().members.begin(), out.groups_.front().members.end(), std::size_t{0});
  FIDUCIAL_TRY(std::vector<DiagnosticGroup> groups, diagnostic_groups(run.cases, run.group_by));
  for (DiagnosticGroup& group : groups) out.groups_.push_back(std::move(group));
  FIDUCIAL_TRY_DONE(out.pool(run, executor));
  return out;
}

Outcome DiagnosticAggregator::pool(const DiagnosticRun& run, const Executor& executor) {
  const ClusterBootstrap bootstrap(run.cases.size(), run.resamples, run.seed);
  const OutcomeBits bits(run);
  pooled_.resize(groups_.size());
  DrawnCounts counts;
  for (std::size_t begin = 0; begin < groups_.size();) {
    GroupBatch batch(bits);
    while (begin + batch.size() < groups_.size() && !batch.is_full()) {
      batch.add(groups_[begin + batch.size()].members);
    }
    FIDUCIAL_TRY(counts, bootstrap.drawn_counts(batch.sets(), executor, std::move(counts)));
    const GroupIntervals::Draws draws{bootstrap, bits, counts};
    const auto size = static_cast<std::int64_t>(batch.size());
    FIDUCIAL_TRY_DONE(executor.for_each(size, [&](std::int64_t at) -> Outcome {
      const auto index = static_cast<std::size_t>(at);
      const DiagnosticGroup& group = groups_[begin + index];
      pooled_[begin + index] = pooled_over(run, group, {draws, group.members, batch.of_group(index)});
      return done();
    }));
    begin += batch.size();
  }
  return done();
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
