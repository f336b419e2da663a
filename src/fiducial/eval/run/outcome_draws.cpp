#include "fiducial/eval/run/outcome_draws.h"

#include <algorithm>

namespace fiducial {

namespace {

bool is_zero_or_one(const UnitValues& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 0 && values[i] != 1) return false;
  }
  return true;
}

}  // namespace

OutcomeBits::OutcomeBits(const ScoreRun& run, const PooledUnits& units) {
  if (units.patients.size() != units.patient_count) return;
  of_units_.resize(units.patients.size());
  for (const ScoreColumn& column : run.columns) {
    add(column.sums.get());
    add(column.weights.get());
  }
}

void OutcomeBits::add(const UnitValues* values) {
  if (of_values_.size() == most_bits || of_values_.contains(values) || !is_zero_or_one(*values)) return;
  const auto bit = static_cast<unsigned>(of_values_.size());
  of_values_.emplace(values, bit);
  for (std::size_t i = 0; i < of_units_.size(); ++i) {
    of_units_[i] |= std::uint64_t{(*values)[i] == 1 ? 1U : 0U} << bit;
  }
}

std::optional<unsigned> OutcomeBits::of_values(const UnitValues* values) const {
  const auto found = of_values_.find(values);
  return found == of_values_.end() ? std::nullopt : std::optional(found->second);
}

void OutcomeBatch::add(const UnitGroup& group) {
  std::vector<OutcomeSet>& own = of_groups_.emplace_back();
  if (bits_.empty()) return;
  std::map<std::uint64_t, std::vector<std::size_t>> by_bits;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    by_bits[bits_.of_unit(group.members[i])].push_back(group.patients[group.places[i]]);
  }
  for (auto& [bits, drawn_together] : by_bits) {
    own.push_back({bits, sets_.size()});
    sets_.push_back(std::move(drawn_together));
  }
}

std::vector<double> GroupDraws::totals(const UnitValues* column, const UnitGroup& group,
                                       std::span<const double> values) const {
  const auto bit = bits.of_values(column);
  if (!bit) return bootstrap.totals(group.patients, values);
  std::vector<double> out(bootstrap.resamples());
  for (const OutcomeSet& each : sets) {
    if ((each.bits >> *bit & 1U) == 0) continue;
    const std::span<const std::uint32_t> drawn = counts.of(each.set);
    for (std::size_t r = 0; r < out.size(); ++r) out[r] += drawn[r];
  }
  return out;
}

}  // namespace fiducial
