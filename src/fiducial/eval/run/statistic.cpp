#include "fiducial/eval/run/statistic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "fiducial/base/json_fields.h"
#include "fiducial/metrics/dice_formula.h"

namespace fiducial {

namespace {

constexpr std::array<std::string_view, 8> statistic_names{
    "ratio", "case_means", "category_means", "precision", "recall", "f1", "matches", "corpus_bleu"};

constexpr std::size_t bleu_orders = longest_ngram;
constexpr std::size_t bleu_parts = 2 * bleu_orders + 2;

std::optional<double> quotient(double part, double whole) {
  return whole == 0 ? std::nullopt : std::optional(part / whole);
}

std::optional<double> mean_of_means(std::span<const double> sums) {
  double total = 0;
  double count = 0;
  for (std::size_t i = 0; i < sums.size(); i += 2) {
    if (sums[i + 1] == 0) continue;
    total += sums[i] / sums[i + 1];
    ++count;
  }
  return quotient(total, count);
}

std::optional<double> share_of(const Statistic& statistic, std::span<const double> n) {
  const auto share = [&statistic](double part, double whole) -> std::optional<double> {
    if (whole == 0 && statistic.one_of_nothing) return 1.0;
    return quotient(part, whole);
  };
  const auto precision = share(n[0], n[0] + n[1]);
  const auto recall = share(n[0], n[0] + n[2]);
  if (statistic.kind == Statistic::Kind::precision) return precision;
  if (statistic.kind == Statistic::Kind::recall) return recall;
  return statistic.one_of_nothing ? f1_of(*precision, *recall) : quotient(2 * n[0], 2 * n[0] + n[1] + n[2]);
}

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

BleuCounts bleu_counts_of(std::span<const double> parts) {
  BleuCounts out;
  for (std::size_t n = 0; n < bleu_orders; ++n) {
    out.matches[n] = std::llround(parts[n]);
    out.possible[n] = std::llround(parts[bleu_orders + n]);
  }
  out.prediction_words = std::llround(parts[2 * bleu_orders]);
  out.reference_words = std::llround(parts[2 * bleu_orders + 1]);
  return out;
}

PooledSums no_sums(const UnitGroup& group, std::size_t width) {
  return {width, std::vector<double>(group.patients.size() * width), 0};
}

PooledSums pool_ratio(const UnitGroup& group, const PooledColumn& column) {
  PooledSums out = no_sums(group, 2);
  double n = 0;
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const std::uint32_t unit = group.members[i];
    if (!column.defined(unit)) continue;
    double* at = out.sums.data() + group.places[i] * std::size_t{2};
    at[0] += (*column.sums)[unit];
    at[1] += (*column.weights)[unit];
    n += (*column.weights)[unit];
  }
  out.n = std::llround(n);
  return out;
}

PooledSums pool_cases(const PooledUnits& units, const UnitGroup& group, const PooledColumn& column) {
  PooledSums out = no_sums(group, 2);
  for (std::size_t i = 0; i < group.members.size();) {
    const std::uint32_t of_case = units.cases[group.members[i]];
    double* at = out.sums.data() + group.places[i] * std::size_t{2};
    double sum = 0;
    double count = 0;
    for (; i < group.members.size() && units.cases[group.members[i]] == of_case; ++i) {
      if (!column.defined(group.members[i])) continue;
      sum += column.value(group.members[i]);
      count += 1;
    }
    if (count == 0) continue;
    at[0] += sum / count;
    at[1] += 1;
    ++out.n;
  }
  return out;
}

PooledSums pool_categories(const PooledUnits& units, const UnitGroup& group, const PooledColumn& column) {
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t unit : group.members) seen.push_back(units.categories[unit]);
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  PooledSums out = no_sums(group, 2 * seen.size());
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const std::uint32_t unit = group.members[i];
    if (!column.defined(unit)) continue;
    const auto number = std::lower_bound(seen.begin(), seen.end(), units.categories[unit]) - seen.begin();
    double* at = out.sums.data() + group.places[i] * out.width + 2 * static_cast<std::size_t>(number);
    at[0] += column.value(unit);
    at[1] += 1;
  }
  out.n = static_cast<std::int64_t>(seen.size());
  return out;
}

PooledSums pool_matches(const UnitGroup& group, const PooledColumn& scores, const PooledColumn& matches) {
  PooledSums out = no_sums(group, 2);
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const std::uint32_t unit = group.members[i];
    if (!scores.defined(unit)) continue;
    const double weight = matches.defined(unit) ? matches.value(unit) : 0;
    double* at = out.sums.data() + group.places[i] * std::size_t{2};
    at[0] += scores.value(unit) * weight;
    at[1] += weight;
    out.n += static_cast<std::int64_t>(weight);
  }
  return out;
}

PooledSums pool_shares(Statistic::Kind kind, const UnitGroup& group, std::span<const PooledColumn> counts) {
  PooledSums out = no_sums(group, 3);
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const std::uint32_t unit = group.members[i];
    const bool has_false_positives = counts[1].defined(unit);
    // Recall needs no false positives, which partial labels leave open.
    if (!counts[0].defined(unit) || !counts[2].defined(unit)) continue;
    if (!has_false_positives && kind != Statistic::Kind::recall) continue;
    double* at = out.sums.data() + group.places[i] * std::size_t{3};
    at[0] += counts[0].value(unit);
    at[1] += has_false_positives ? counts[1].value(unit) : 0;
    at[2] += counts[2].value(unit);
    ++out.n;
  }
  return out;
}

}  // namespace

std::string_view to_string(Statistic::Kind kind) { return statistic_names[static_cast<std::size_t>(kind)]; }

std::string_view counted_by(const Statistic& statistic, std::string_view units) {
  switch (statistic.kind) {
    case Statistic::Kind::case_means:
      return "cases";
    case Statistic::Kind::category_means:
      return "categories";
    case Statistic::Kind::matches:
      return "matches";
    default:
      return units;
  }
}

Json to_json(const Statistic& statistic) {
  Json out = Json::object({{"kind", to_string(statistic.kind)}});
  if (statistic.one_of_nothing) out.set("one_of_nothing", true);
  if (statistic.order > 0) out.set("order", statistic.order);
  return out;
}

Result<Statistic> parse_statistic(const Json& value) {
  FIDUCIAL_TRY(const Json* kind, required_field(value, "kind", ""));
  FIDUCIAL_TRY(const std::string word, expect_string(*kind, "/kind"));
  const auto found = std::find(statistic_names.begin(), statistic_names.end(), word);
  if (found == statistic_names.end())
    return at_pointer("/kind", "expected a statistic this version knows, found \"" + word + "\"");
  Statistic out{.kind = static_cast<Statistic::Kind>(found - statistic_names.begin())};
  if (const Json* flag = value.find("one_of_nothing"))
    out.one_of_nothing = flag->as_bool() != nullptr && *flag->as_bool();
  if (const Json* order = value.find("order")) {
    FIDUCIAL_TRY(const std::int64_t number, expect_integer(*order, "/order"));
    if (number < 0 || number > static_cast<std::int64_t>(bleu_orders))
      return at_pointer("/order", "expected 0 to 4");
    out.order = static_cast<int>(number);
  }
  return out;
}

UnitGroup UnitGroup::of(const PooledUnits& units, std::vector<std::uint32_t> members) {
  UnitGroup out{.members = std::move(members)};
  for (const std::uint32_t unit : out.members) out.patients.push_back(units.patients[unit]);
  std::sort(out.patients.begin(), out.patients.end());
  out.patients.erase(std::unique(out.patients.begin(), out.patients.end()), out.patients.end());
  out.places.reserve(out.members.size());
  for (const std::uint32_t unit : out.members) {
    const auto place = std::lower_bound(out.patients.begin(), out.patients.end(), units.patients[unit]);
    out.places.push_back(static_cast<std::uint32_t>(place - out.patients.begin()));
  }
  return out;
}

UnitGroup UnitGroup::all(const PooledUnits& units) {
  UnitGroup out;
  out.members.resize(units.patients.size());
  std::iota(out.members.begin(), out.members.end(), 0U);
  out.patients.resize(units.patient_count);
  std::iota(out.patients.begin(), out.patients.end(), std::size_t{0});
  out.places = units.patients;
  return out;
}

PooledSums pooled_sums(const Statistic& statistic, const PooledUnits& units, const UnitGroup& group,
                       std::span<const PooledColumn> columns) {
  switch (statistic.kind) {
    case Statistic::Kind::ratio:
      return pool_ratio(group, columns[0]);
    case Statistic::Kind::case_means:
      return pool_cases(units, group, columns[0]);
    case Statistic::Kind::category_means:
      return pool_categories(units, group, columns[0]);
    case Statistic::Kind::matches:
      return pool_matches(group, columns[0], columns[1]);
    default:
      return pool_shares(statistic.kind, group, columns);
  }
}

PooledSums pooled_bleu(const std::vector<BleuCounts>& counts, const UnitGroup& group) {
  PooledSums out = no_sums(group, bleu_parts);
  for (std::size_t i = 0; i < group.members.size(); ++i) {
    const auto parts = parts_of(counts[group.members[i]]);
    for (std::size_t k = 0; k < bleu_parts; ++k) out.sums[group.places[i] * bleu_parts + k] += parts[k];
  }
  return out;
}

ClusterBootstrap::Statistic function_of(const Statistic& statistic) {
  using Sums = std::span<const double>;
  switch (statistic.kind) {
    case Statistic::Kind::category_means:
      return mean_of_means;
    case Statistic::Kind::precision:
    case Statistic::Kind::recall:
    case Statistic::Kind::f1:
      return [statistic](Sums sums) { return share_of(statistic, sums); };
    case Statistic::Kind::corpus_bleu:
      return [order = statistic.order](Sums sums) -> std::optional<double> {
        return bleu_add_one(bleu_counts_of(sums), order);
      };
    default:
      return [](Sums sums) { return quotient(sums[0], sums[1]); };
  }
}

}  // namespace fiducial
