#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/eval/run/unit_values.h"
#include "fiducial/stats/bootstrap.h"
#include "fiducial/text/bleu.h"

namespace fiducial {

// How scores of units become one number. It is a function of sums over patients, so that intervals need no
// second look at the units.
struct Statistic {
  enum class Kind {
    ratio,           // sums over weights: a mean, a share, an F1 of counts
    case_means,      // the mean over cases of the mean over their units
    category_means,  // the mean over categories of the mean over their units
    precision,       // of counted instances
    recall,
    f1,
    matches,      // the mean over matched instances
    corpus_bleu,  // BLEU of all texts together
  };

  Kind kind = Kind::ratio;
  bool one_of_nothing = false;  // shares: 1 where there is nothing to divide by, as the published scorer says
  int order = 0;                // of BLEU

  // Whether it is made from true positives, false positives and false negatives.
  bool is_share() const { return kind == Kind::precision || kind == Kind::recall || kind == Kind::f1; }
  friend bool operator==(const Statistic&, const Statistic&) = default;
};
std::string_view to_string(Statistic::Kind kind);
// What n of a statistic counts: cases, categories or matches, else what its units are.
std::string_view counted_by(const Statistic& statistic, std::string_view units);
Json to_json(const Statistic& statistic);
Result<Statistic> parse_statistic(const Json& value);

// What pooling must know about the units of a run, beside each other. Units of a case follow each other.
struct PooledUnits {
  std::vector<std::uint32_t> cases;
  std::vector<std::uint32_t> patients;    // numbered from 0
  std::vector<std::uint32_t> categories;  // numbered in the order of their labels; empty: there are none
  std::size_t patient_count = 0;
};

// Units that are pooled together, and the patients they are of.
struct UnitGroup {
  std::vector<std::uint32_t> members;  // ascending
  std::vector<std::size_t> patients;   // ascending
  std::vector<std::uint32_t> places;   // beside members: where its patient stands among the patients

  static UnitGroup of(const PooledUnits& units, std::vector<std::uint32_t> members);
  static UnitGroup all(const PooledUnits& units);
};

// The scores of one metric: a unit of weight 0 has none.
struct PooledColumn {
  const UnitValues* sums = nullptr;
  const UnitValues* weights = nullptr;

  bool defined(std::size_t unit) const { return (*weights)[unit] > 0; }
  double value(std::size_t unit) const { return (*sums)[unit] / (*weights)[unit]; }
};

// Sums for each patient of a group, and how many cases, categories, units or matches stand behind them.
struct PooledSums {
  std::size_t width = 0;
  std::vector<double> sums;  // patient by patient
  std::int64_t n = 0;
};

// Pools the columns that a statistic needs: the scores and the numbers of matches for `matches`; true
// positives, false positives and false negatives for shares; the scores alone for the rest. A unit without
// false positives, as partial labels leave it, counts for recall only.
PooledSums pooled_sums(const Statistic& statistic, const PooledUnits& units, const UnitGroup& group,
                       std::span<const PooledColumn> columns);
// What BLEU adds up, a unit each.
PooledSums pooled_bleu(const std::vector<BleuCounts>& counts, const UnitGroup& group);

// The value of the summed sums.
ClusterBootstrap::Statistic function_of(const Statistic& statistic);

}  // namespace fiducial
