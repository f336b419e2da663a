#include "fiducial/eval/agreement/human_agreement.h"

#include <algorithm>
#include <array>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/agreement/judge_records.h"
#include "fiducial/eval/inputs/table_file.h"
#include "fiducial/table/csv.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

struct StepColumns {
  std::size_t number = 1;
  std::size_t factual = 0;
  std::optional<std::size_t> critical;
  std::optional<std::size_t> error_types;
};

// The columns of people's labels; headers are compared without case and white space at the ends.
class HumanColumns {
 public:
  static Result<HumanColumns> find(const CsvTable& table) {
    HumanColumns out;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      out.names_.emplace(lower_cased(white_space_trimmed(table.columns()[i])), i);
    }
    for (const char* name : {"title", "clinical_history"}) {
      if (!out.column(name)) return invalid_data("no column \"" + std::string(name) + "\"");
    }
    out.title = *out.column("title");
    out.history = *out.column("clinical_history");
    for (std::size_t number = 1; number <= table.columns().size(); ++number) {
      const std::string n = decimal(number);
      const auto factual = out.column("human_factual" + n);
      if (out.column("step" + n) && !factual)
        return invalid_data(std::string("column step").append(n).append(" has no human_factual").append(n));
      if (!factual) continue;
      out.steps.push_back(
          {number, *factual, out.column("human_critical" + n), out.column("human_error_types" + n)});
    }
    if (out.steps.empty()) return invalid_data("no column human_factual1; expected one for every step");
    return out;
  }

  std::size_t title = 0;
  std::size_t history = 0;
  std::vector<StepColumns> steps;

 private:
  std::optional<std::size_t> column(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

  std::map<std::string, std::size_t> names_;
};

// A step that both people and the judge have a label for.
struct LabelledStep {
  bool said = false;
  bool judged = false;
  bool critical = false;
  std::string_view error_types;
  std::optional<bool> said_critical;  // absent where people have no column or no label for it
  const Json* check = nullptr;
};

double as_rating(bool label) { return label ? 1 : 0; }

// What both say beyond factuality: criticality where both have it, error types where both call the step
// false.
void add_other_labels(HumanAgreement& out, const LabelledStep& step, Scorer scorer) {
  std::vector<std::optional<double>> critical(2);
  const auto judged_critical = judged_label(*step.check, "is_critical", scorer);
  if (step.said_critical) critical[0] = as_rating(*step.said_critical);
  if (judged_critical) critical[1] = as_rating(*judged_critical);
  out.critical.push_back(std::move(critical));
  const std::vector<std::string> said = normalised_error_types(step.error_types);
  const std::vector<std::string> judged = judged_error_types(*step.check);
  for (std::size_t i = 0; i < std::size(step_error_types); ++i) {
    std::vector<std::optional<double>> pair(2);
    const auto names = [&](const std::vector<std::string>& types) {
      return std::find(types.begin(), types.end(), step_error_types[i].label) != types.end();
    };
    if (!step.said && !step.judged) pair = {as_rating(names(said)), as_rating(names(judged))};
    out.errors[i].push_back(std::move(pair));
  }
}

void count(StepStratum& stratum, std::size_t pair, const LabelledStep& step) {
  stratum.pairs.push_back(pair);
  ++stratum.steps;
  stratum.agreed += step.said == step.judged ? 1 : 0;
  stratum.false_steps += step.said ? 0 : 1;
  stratum.found_false += !step.said && !step.judged ? 1 : 0;
}

void add_step(HumanAgreement& out, const LabelledStep& step) {
  const std::size_t at = out.pairs.size();
  out.pairs.push_back({step.said ? 1.0 : 0.0, step.judged ? 1.0 : 0.0});
  out.critical_steps += step.critical ? 1 : 0;
  if (step.said_critical) count(out.strata[step.critical ? "critical" : "not critical"], at, step);
  for (const std::string& type : normalised_error_types(step.error_types)) {
    if (!step.said) count(out.strata[type], at, step);
    ++out.error_types[type];
    if (step.critical) ++out.critical_error_types[type];
  }
}

// Of the steps that people call false (or true), the share that the judge calls so, too.
AgreementStatistic found_share(double label) {
  return [label](const WeightedRatings& ratings) -> std::optional<double> {
    double said = 0;
    double found = 0;
    for (std::size_t i = 0; i < ratings.items.size(); ++i) {
      const auto& pair = ratings.items[i];
      if (pair[0] != label || !pair[1]) continue;
      said += ratings.weights[i];
      found += *pair[1] == label ? ratings.weights[i] : 0;
    }
    return said > 0 ? std::optional(found / said) : std::nullopt;
  };
}

// Steps outside of the stratum have no ratings, so that the draws of cases are the same for all strata.
Ratings pairs_of(const StepStratum& stratum, const Ratings& pairs) {
  Ratings out(pairs.size(), std::vector<std::optional<double>>(2));
  for (const std::size_t at : stratum.pairs) out[at] = pairs[at];
  return out;
}

Json strata_json(const HumanAgreement& agreement, const AgreementDraws& draws) {
  Json out = Json::object({});
  for (const auto& [name, stratum] : agreement.strata) {
    const Ratings pairs = pairs_of(stratum, agreement.pairs);
    out.set(name, Json::object({{"steps", stratum.steps},
                                {"agreed", stratum.agreed},
                                {"false_steps", stratum.false_steps},
                                {"found_false", stratum.found_false},
                                {"agreement", statistic_json(pairs, observed_agreement, draws)},
                                {"false_step_sensitivity", statistic_json(pairs, found_share(0), draws)}}));
  }
  return out;
}

Json counts_json(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::object({});
  for (const auto& [name, count] : counts) out.set(name, count);
  return out;
}

}  // namespace

Json statistic_json(const Ratings& pairs, const AgreementStatistic& statistic, const AgreementDraws& draws) {
  const auto value = statistic(pairs);
  const auto interval = value ? agreement_intervals95(pairs, {statistic}, draws).front() : std::nullopt;
  return Json::object({{"value", value ? Json(*value) : Json()},
                       {"ci95", interval ? Json::array({interval->low, interval->high}) : Json()}});
}

Result<HumanAgreement> human_agreement(const Path& human, const Path& judge, Scorer scorer) {
  FIDUCIAL_TRY(const CsvTable table, read_table_file(human));
  FIDUCIAL_TRY(const HumanColumns columns, HumanColumns::find(table).in_file(human.string()));
  FIDUCIAL_TRY(const JudgeRecords records, JudgeRecords::read(judge));
  HumanAgreement out{.rows = static_cast<std::int64_t>(table.rows())};
  std::size_t cases = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Json::Array* checks =
        records.find(table.cell(row, columns.title), table.cell(row, columns.history));
    if (checks == nullptr) {
      ++out.unmatched_rows;
      continue;
    }
    for (const StepColumns& step : columns.steps) {
      const std::string_view cell = table.cell(row, step.factual);
      if (white_space_trimmed(cell).empty() || step.number > checks->size()) continue;
      const auto said = yes_or_no(cell, scorer);
      const Json& check = (*checks)[step.number - 1];
      const auto judged = judged_label(check, "is_factual", scorer);
      if (said && judged) {
        const auto cell_of = [&](std::optional<std::size_t> column) {
          return column ? table.cell(row, *column) : std::string_view();
        };
        const auto critical = yes_or_no(cell_of(step.critical), scorer);
        const LabelledStep labelled{.said = *said,
                                    .judged = *judged,
                                    .critical = critical.value_or(false),
                                    .error_types = cell_of(step.error_types),
                                    .said_critical = critical,
                                    .check = &check};
        add_step(out, labelled);
        add_other_labels(out, labelled, scorer);
        out.cases.push_back(cases);
      } else {
        ++out.unread_labels;
      }
    }
    if (!out.cases.empty() && out.cases.back() == cases) ++cases;
  }
  return out;
}

Json human_agreement_json(const HumanAgreement& agreement, const AgreementOptions& options) {
  const Confusion counts = confusion(agreement.pairs);
  const auto pairs = static_cast<std::int64_t>(agreement.pairs.size());
  Json out = Json::object({{"schema", "fiducial.step_agreement/1"},
                           {"matched_step_pairs", pairs},
                           {"rows", agreement.rows},
                           {"unmatched_rows", agreement.unmatched_rows},
                           {"unread_labels", agreement.unread_labels}});
  const AgreementDraws draws{options.resamples, options.seed, agreement.cases};
  const AgreementStatistic kappa_of = [](const WeightedRatings& ratings) {
    return cohen_kappa(ratings, KappaWeights::none);
  };
  out.set("cases", static_cast<std::int64_t>(agreement.cases.empty() ? 0 : agreement.cases.back() + 1));
  out.set("agreement", statistic_json(agreement.pairs, observed_agreement, draws));
  out.set("phi_mcc", statistic_json(agreement.pairs, matthews_correlation, draws));
  out.set("cohens_kappa", statistic_json(agreement.pairs, kappa_of, draws));
  out.set("krippendorff_alpha",
          statistic_json(
              agreement.pairs,
              [](const WeightedRatings& ratings) { return krippendorff_alpha(ratings, AlphaLevel::nominal); },
              draws));
  out.set("false_step_sensitivity", statistic_json(agreement.pairs, found_share(0), draws));
  out.set("true_step_specificity", statistic_json(agreement.pairs, found_share(1), draws));
  out.set("critical_kappa", statistic_json(agreement.critical, kappa_of, draws));
  for (std::size_t i = 0; i < std::size(step_error_types); ++i) {
    out.set("error_kappa_" + std::string(step_error_types[i].word),
            statistic_json(agreement.errors[i], kappa_of, draws));
  }
  out.set("confusion", Json::object({{"tp", counts.true_positives},
                                     {"tn", counts.true_negatives},
                                     {"fp", counts.false_positives},
                                     {"fn", counts.false_negatives}}));
  out.set(
      "critical_step_ratio",
      pairs == 0 ? Json() : Json(static_cast<double>(agreement.critical_steps) / static_cast<double>(pairs)));
  out.set("error_type_counts", counts_json(agreement.error_types));
  out.set("critical_error_type_counts", counts_json(agreement.critical_error_types));
  out.set("strata", strata_json(agreement, draws));
  return out.set("resamples", options.resamples).set("seed", options.seed);
}

}  // namespace fiducial
