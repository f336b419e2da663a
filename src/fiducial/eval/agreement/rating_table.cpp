#include "fiducial/eval/agreement/rating_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/inputs/table_file.h"
#include "fiducial/table/csv.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether a column says what was rated: one of the field's words for an item, or such a word with "id",
// "name", "number" or the like, as "VolumeName", "case_id" and "Study UID" are.
bool names_items(const std::string& column) {
  constexpr std::array<std::string_view, 29> names{
      "item",   "id",      "case",      "unit",     "subject",  "title",   "step",   "volume",
      "image",  "patient", "study",     "scan",     "name",     "finding", "uid",    "index",
      "sample", "series",  "file",      "filename", "question", "row",     "report", "lesion",
      "exam",   "number",  "accession", "key",      "no"};
  constexpr std::array<std::string_view, 9> endings{"name", "id",  "uid",  "number",     "index",
                                                    "no",   "key", "file", "instanceuid"};
  std::string word;
  for (const char c : ascii_lower(column)) {
    if ((c >= 'a' && c <= 'z')) word += c;
  }
  if (column.empty() || is_one_of(word, names)) return true;  // data frames write an index without a name
  if (word.starts_with("unnamed")) return true;
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
    return word.ends_with(ending) &&
           is_one_of(std::string_view(word).substr(0, word.size() - ending.size()), names);
  });
}

bool is_blank(std::string_view cell) {
  constexpr std::array<std::string_view, 5> blanks{"", "na", "n/a", "nan", "null"};
  return is_one_of(ascii_lower(cell), blanks);
}

std::optional<double> number_of(std::string_view cell) {
  constexpr std::array<std::string_view, 5> yes{"true", "yes", "t", "y", "correct"};
  constexpr std::array<std::string_view, 5> no{"false", "no", "f", "n", "incorrect"};
  const std::string word = ascii_lower(cell);
  if (is_one_of(word, yes)) return 1;
  if (is_one_of(word, no)) return 0;
  const auto number = parse_double(cell);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return number;
}

Result<std::vector<std::size_t>> rater_columns(const CsvTable& table,
                                               const std::vector<std::string>& raters) {
  std::vector<std::size_t> out;
  for (const std::string& name : raters) {
    FIDUCIAL_TRY(const std::size_t column, table.column(name));
    out.push_back(column);
  }
  for (std::size_t i = 0; raters.empty() && i < table.columns().size(); ++i) {
    if (!names_items(table.columns()[i])) out.push_back(i);
  }
  if (out.size() < 2) {
    return invalid_data("expected at least two columns of ratings, found " + decimal(out.size()));
  }
  return out;
}

// Every label that occurs, ascending; empty when all are numbers.
std::vector<std::string> word_labels(const CsvTable& table, const std::vector<std::size_t>& columns) {
  std::vector<std::string> out;
  bool words = false;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const std::size_t column : columns) {
      const std::string_view cell = white_space_trimmed(table.cell(row, column));
      if (is_blank(cell)) continue;
      words = words || !number_of(cell);
      out.emplace_back(cell);
    }
  }
  if (!words) return {};
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

struct NamedStatistic {
  std::string name;
  std::string title;
  AgreementStatistic statistic;
  bool of_two = false;         // needs exactly two raters
  bool needs_numbers = false;  // no meaning for words
};

AgreementStatistic kappa(KappaWeights weights) {
  return [weights](const WeightedRatings& ratings) { return cohen_kappa(ratings, weights); };
}

AgreementStatistic alpha(AlphaLevel level) {
  return [level](const WeightedRatings& ratings) { return krippendorff_alpha(ratings, level); };
}

AgreementStatistic icc(IccForm form) {
  return [form](const WeightedRatings& ratings) { return intraclass_correlation(ratings, form); };
}

std::vector<NamedStatistic> all_statistics() {
  return {{"po", "observed agreement", observed_agreement, true, false},
          {"mcc", "Matthews correlation", matthews_correlation, true, false},
          {"cohen_kappa", "Cohen's kappa", kappa(KappaWeights::none), true, false},
          {"cohen_kappa_linear", "Cohen's kappa, linear weights", kappa(KappaWeights::linear), true, true},
          {"cohen_kappa_quadratic", "Cohen's kappa, quadratic weights", kappa(KappaWeights::quadratic), true,
           true},
          {"fleiss_kappa", "Fleiss' kappa", fleiss_kappa, false, false},
          {"krippendorff_alpha_nominal", "Krippendorff's alpha, nominal", alpha(AlphaLevel::nominal), false,
           false},
          {"krippendorff_alpha_ordinal", "Krippendorff's alpha, ordinal", alpha(AlphaLevel::ordinal), false,
           true},
          {"krippendorff_alpha_interval", "Krippendorff's alpha, interval", alpha(AlphaLevel::interval),
           false, true},
          {"krippendorff_alpha_ratio", "Krippendorff's alpha, ratio", alpha(AlphaLevel::ratio), false, true},
          {"icc_1_1", "ICC(1,1)", icc(IccForm::one_single), false, true},
          {"icc_2_1", "ICC(2,1)", icc(IccForm::two_single), false, true},
          {"icc_3_1", "ICC(3,1)", icc(IccForm::three_single), false, true},
          {"icc_1_k", "ICC(1,k)", icc(IccForm::one_mean), false, true},
          {"icc_2_k", "ICC(2,k)", icc(IccForm::two_mean), false, true},
          {"icc_3_k", "ICC(3,k)", icc(IccForm::three_mean), false, true}};
}

AgreementValue value_of(const NamedStatistic& each, const RatingTable& table) {
  AgreementValue out{.name = each.name, .title = each.title};
  if (each.of_two && table.raters.size() != 2) {
    out.reason = "of two raters, there are " + decimal(table.raters.size());
  } else if (each.needs_numbers && !table.numeric) {
    out.reason = "labels are not numbers";
  } else {
    out.value = each.statistic(table.ratings);
    if (!out.value) out.reason = "not defined for these ratings";
  }
  return out;
}

// Of a mean of raters nothing is drawn: what holds of one rater says it, and draws of items that happen to be
// alike would give any number.
void take_intervals_of_means(int raters, std::vector<AgreementValue>& values) {
  for (AgreementValue& mean : values) {
    if (!mean.name.starts_with("icc_") || !mean.name.ends_with("_k")) continue;
    const std::string of_one = mean.name.substr(0, mean.name.size() - 1) + "1";
    const auto single = std::find_if(values.begin(), values.end(),
                                     [&](const AgreementValue& each) { return each.name == of_one; });
    mean.interval.reset();
    if (mean.value && single != values.end() && single->interval)
      mean.interval = of_mean_rating(*single->interval, raters);
  }
}

// Statistics with their intervals, which all come from the same draws.
std::vector<AgreementValue> values_of(const std::vector<NamedStatistic>& statistics, const RatingTable& table,
                                      const AgreementOptions& options) {
  std::vector<AgreementValue> out;
  std::vector<AgreementStatistic> drawn;
  for (const NamedStatistic& each : statistics) {
    out.push_back(value_of(each, table));
    if (out.back().value) drawn.push_back(each.statistic);
  }
  const auto intervals =
      agreement_intervals95(table.ratings, drawn, {.resamples = options.resamples, .seed = options.seed});
  std::size_t next = 0;
  for (AgreementValue& value : out) {
    if (value.value) value.interval = intervals[next++];
  }
  take_intervals_of_means(static_cast<int>(table.raters.size()), out);
  for (AgreementValue& value : out) {
    // Equal but for rounding: draws that all give one number tell nothing.
    if (value.interval && value.interval->high - value.interval->low < 1e-12) value.interval.reset();
  }
  return out;
}

Json value_json(const AgreementValue& value) {
  Json out = Json::object(
      {{"value", value.value ? Json(*value.value) : Json()},
       {"ci95", value.interval ? Json::array({value.interval->low, value.interval->high}) : Json()}});
  if (!value.value) out.set("reason", value.reason);
  return out;
}

Json counts_json(const RatingTable& table) {
  const Confusion counts = confusion(table.ratings);
  return Json::object({{"true_positives", counts.true_positives},
                       {"true_negatives", counts.true_negatives},
                       {"false_positives", counts.false_positives},
                       {"false_negatives", counts.false_negatives}});
}

bool is_binary(const RatingTable& table) {
  for (const auto& item : table.ratings) {
    for (const auto& each : item) {
      if (each && *each != 0 && *each != 1) return false;
    }
  }
  return table.numeric;
}

}  // namespace

Ratings RatingTable::pair(std::size_t a, std::size_t b) const {
  Ratings out;
  for (const auto& item : ratings) out.push_back({item[a], item[b]});
  return out;
}

Result<RatingTable> read_rating_table(const Path& path, const std::vector<std::string>& raters) {
  FIDUCIAL_TRY(const CsvTable table, read_table_file(path));
  FIDUCIAL_TRY(const std::vector<std::size_t> columns, rater_columns(table, raters).in_file(path.string()));
  RatingTable out;
  for (const std::size_t column : columns) out.raters.push_back(table.columns()[column]);
  out.labels = word_labels(table, columns);
  out.numeric = out.labels.empty();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out.ratings.emplace_back();
    for (const std::size_t column : columns) {
      const std::string_view cell = white_space_trimmed(table.cell(row, column));
      std::optional<double> rating;
      if (!is_blank(cell)) {
        const auto label = std::lower_bound(out.labels.begin(), out.labels.end(), cell);
        rating = out.numeric ? number_of(cell) : static_cast<double>(label - out.labels.begin());
      }
      out.ratings.back().push_back(rating);
    }
  }
  if (out.ratings.empty()) {
    return Error(ErrorCode::invalid_data, "no rows; expected one row an item", Place{.path = path.string()});
  }
  return out;
}

std::vector<AgreementValue> agreement_values(const RatingTable& table, const AgreementOptions& options) {
  return values_of(all_statistics(), table, options);
}

std::vector<PairAgreement> pair_agreements(const RatingTable& table, const AgreementOptions& options) {
  std::vector<NamedStatistic> of_two = all_statistics();
  std::erase_if(of_two, [](const NamedStatistic& each) { return !each.of_two; });
  std::vector<PairAgreement> out;
  if (table.raters.size() > most_paired_raters) return out;
  for (std::size_t a = 0; a < table.raters.size(); ++a) {
    for (std::size_t b = a + 1; b < table.raters.size(); ++b) {
      const RatingTable two{
          {table.raters[a], table.raters[b]}, table.pair(a, b), table.numeric, table.labels};
      out.push_back({table.raters[a], table.raters[b], values_of(of_two, two, options)});
    }
  }
  return out;
}

std::int64_t RatingTable::incomplete_items() const {
  return std::count_if(ratings.begin(), ratings.end(), [](const auto& item) {
    return std::any_of(item.begin(), item.end(), [](const auto& each) { return !each; });
  });
}

Json agreement_json(const RatingTable& table, const AgreementOptions& options) {
  Json raters = Json::Array{};
  for (const std::string& rater : table.raters) raters.push(rater);
  Json labels = Json::Array{};
  for (const std::string& label : table.labels) labels.push(label);
  Json out = Json::object({{"schema", "fiducial.agreement/1"},
                           {"items", table.ratings.size()},
                           {"incomplete_items", table.incomplete_items()},
                           {"raters", raters},
                           {"labels", table.numeric ? Json() : labels},
                           {"resamples", options.resamples},
                           {"seed", options.seed}});
  for (const AgreementValue& value : agreement_values(table, options)) out.set(value.name, value_json(value));
  if (table.raters.size() == 2 && is_binary(table)) out.set("confusion", counts_json(table));
  if (table.raters.size() == 2) return out;
  Json pairs = Json::Array{};
  for (const PairAgreement& pair : pair_agreements(table, options)) {
    Json entry = Json::object({{"raters", Json::array({pair.first, pair.second})}});
    for (const AgreementValue& value : pair.values) entry.set(value.name, value_json(value));
    pairs.push(entry);
  }
  return out.set("pairs", pairs);
}

}  // namespace fiducial
