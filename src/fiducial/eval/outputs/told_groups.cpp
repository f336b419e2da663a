#include "fiducial/eval/outputs/told_groups.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace fiducial {

namespace {

// Arithmetic modulo a prime: exact, and a number that is 0 there is 0 but for a chance of 2^-61.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61U) - 1;

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % prime);
}

std::uint64_t inverse(std::uint64_t value) {
  std::uint64_t out = 1;
  for (std::uint64_t power = prime - 2; power > 0; power >>= 1U) {
    if ((power & 1U) != 0) out = times(out, value);
    value = times(value, value);
  }
  return out;
}

using Row = std::vector<std::uint64_t>;  // a multiple of each atom

void subtract(Row& from, const Row& row, std::uint64_t factor) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = (from[i] + prime - times(factor, row[i])) % prime;
  }
}

// Units that lie in the same groups.
struct Atom {
  std::set<std::uint32_t> patients;
};

// The sums that follow from the told groups, as rows in reduced echelon form.
class ToldSums {
 public:
  ToldSums(const PooledUnits& units, const std::vector<std::vector<std::uint32_t>>& told) {
    std::vector<std::vector<std::uint32_t>> groups_of(units.patients.size());
    for (std::uint32_t g = 0; g < told.size(); ++g) {
      for (const std::uint32_t unit : told[g]) groups_of[unit].push_back(g);
    }
    std::map<std::vector<std::uint32_t>, Atom> by_groups;
    for (std::size_t unit = 0; unit < groups_of.size(); ++unit) {
      by_groups[groups_of[unit]].patients.insert(units.patients[unit]);
    }
    std::vector<std::pair<const std::vector<std::uint32_t>*, const Atom*>> order;
    order.reserve(by_groups.size());
    for (const auto& [groups, atom] : by_groups) order.emplace_back(&groups, &atom);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.second->patients.size() > b.second->patients.size();
    });
    rows_.assign(told.size() + 1, Row(order.size()));
    for (std::size_t a = 0; a < order.size(); ++a) {
      atoms_.push_back(*order[a].second);
      rows_.back()[a] = 1;  // the whole
      for (const std::uint32_t g : *order[a].first) rows_[g][a] = 1;
    }
    eliminate();
  }

  // The fewest patients that any of the sums is of.
  std::size_t fewest_patients() const {
    std::size_t out = static_cast<std::size_t>(-1);
    for (const Row& row : rows_) {
      std::set<std::uint32_t> patients;
      for (std::size_t a = 0; a < row.size(); ++a) {
        if (row[a] != 0) patients.insert(atoms_[a].patients.begin(), atoms_[a].patients.end());
      }
      if (!patients.empty()) out = std::min(out, patients.size());
    }
    return out;
  }

 private:
  void eliminate() {
    std::size_t done = 0;
    for (std::size_t a = 0; a < atoms_.size() && done < rows_.size(); ++a) {
      const auto pivot = std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(done), rows_.end(),
                                      [a](const Row& row) { return row[a] != 0; });
      if (pivot == rows_.end()) continue;
      std::swap(*pivot, rows_[done]);
      const std::uint64_t scale = inverse(rows_[done][a]);
      for (std::uint64_t& value : rows_[done]) value = times(value, scale);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (r != done && rows_[r][a] != 0) subtract(rows_[r], rows_[done], rows_[r][a]);
      }
      ++done;
    }
  }

  std::vector<Atom> atoms_;  // large ones first
  std::vector<Row> rows_;
};

std::size_t patients_of(const PooledUnits& units, const std::vector<std::uint32_t>& members) {
  std::set<std::uint32_t> patients;
  for (const std::uint32_t unit : members) patients.insert(units.patients[unit]);
  return patients.size();
}

using Units = std::vector<std::uint32_t>;

bool holds(const Units& whole, const Units& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

// Told groups, and what is left of them without those of one kind.
class Remainders {
 public:
  Remainders(const PooledUnits& units, std::size_t least) : units_(units), least_(least) {
    Units whole(units.patients.size());
    std::iota(whole.begin(), whole.end(), 0U);
    told_.push_back({none, std::move(whole)});
  }

  // Whether all remainders are large, or nothing, once the group is told too; it is kept only then.
  bool take(std::size_t kind, const Units& members) {
    told_.push_back({kind, members});
    std::set<std::size_t> kinds;
    for (const Told& each : told_) kinds.insert(each.kind);
    bool is_safe = true;
    for (const Told& each : told_) {
      if (holds(each.members, members)) is_safe = is_safe && is_large(each, kind);
    }
    for (const std::size_t other : kinds) is_safe = is_safe && is_large(told_.back(), other);
    if (!is_safe) told_.pop_back();
    return is_safe;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Told {
    std::size_t kind;
    Units members;
  };

  bool is_large(const Told& whole, std::size_t kind) const {
    if (kind == none || kind == whole.kind) return true;
    Units left = whole.members;
    for (const Told& each : told_) {
      if (each.kind != kind || !holds(whole.members, each.members)) continue;
      Units rest;
      std::set_difference(left.begin(), left.end(), each.members.begin(), each.members.end(),
                          std::back_inserter(rest));
      left = std::move(rest);
    }
    const std::size_t patients = patients_of(units_, left);
    return patients == 0 || patients >= least_;
  }

  const PooledUnits& units_;
  std::size_t least_;
  std::vector<Told> told_;  // the first is everything
};

}  // namespace

std::vector<bool> told_groups(const PooledUnits& units, const std::vector<OfferedGroup>& groups,
                              int min_group) {
  const auto least = static_cast<std::size_t>(min_group);
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> sizes;
  sizes.reserve(groups.size());
  for (const OfferedGroup& group : groups) sizes.push_back(patients_of(units, *group.members));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  std::vector<bool> out(groups.size());
  std::vector<Units> told;
  Remainders remainders(units, least);
  for (const std::size_t at : order) {
    if (sizes[at] < least) break;
    told.push_back(*groups[at].members);
    out[at] =
        ToldSums(units, told).fewest_patients() >= least && remainders.take(groups[at].kind, told.back());
    if (!out[at]) told.pop_back();
  }
  return out;
}

}  // namespace fiducial
