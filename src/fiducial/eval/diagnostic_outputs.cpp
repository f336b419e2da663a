#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/diagnostic_score.h"
#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

constexpr const char* rouge_slots[] = {"rouge_1", "rouge_2", "rouge_l", "rouge_lsum"};

// One aggregate of a run. sum and count of a case are what its value is the mean of.
struct Measure {
  std::string slot;
  std::string metric;
  bool is_share = false;  // of cases: 0 or 1 each
  std::function<double(const DiagnosticScore&)> sum;
  std::function<std::int64_t(const DiagnosticScore&)> count;
  std::function<std::int64_t(const DiagnosticScore&)> failed;  // of count: zeros for want of a prediction
};

void add_rouge(std::vector<Measure>& out, std::size_t step) {
  for (std::size_t kind = 0; kind < 4; ++kind) {
    out.push_back({.slot = std::string(rouge_slots[kind]) + "_step" + decimal(step + 1),
                   .metric = std::string(rouge_slots[kind]) + "_stem",
                   .sum = [step, kind](const DiagnosticScore& each) { return each.steps[step].f1[kind]; },
                   .count = [step](const DiagnosticScore& each) { return each.steps[step].texts; },
                   .failed = [step](const DiagnosticScore& each) { return each.steps[step].absent; }});
  }
}

std::vector<Measure> measures_of(const DiagnosticRun& run, Scorer scorer) {
  const std::string suffix = scorer == Scorer::official ? "_official" : "";
  const auto one = [](const DiagnosticScore&) -> std::int64_t { return 1; };
  const auto failed = [scorer](const DiagnosticScore& each) -> std::int64_t {
    return each.answer(scorer).letter ? 0 : 1;
  };
  std::vector<Measure> out;
  out.push_back({.slot = "accuracy",
                 .metric = "answer_accuracy" + suffix,
                 .is_share = true,
                 .sum = [scorer](const DiagnosticScore& each) { return each.is_correct(scorer) ? 1.0 : 0.0; },
                 .count = one,
                 .failed = failed});
  out.push_back(
      {.slot = "accuracy_strict",
       .metric = "answer_accuracy_strict" + suffix,
       .is_share = true,
       .sum = [scorer](const DiagnosticScore& each) { return each.is_strictly_correct(scorer) ? 1.0 : 0.0; },
       .count = one,
       .failed = failed});
  if (!run.has_steps || scorer == Scorer::official) return out;
  for (const std::size_t step : {0U, 1U}) add_rouge(out, step);
  return out;
}

Json ends(const Interval& interval) { return Json::array({interval.low, interval.high}); }

// Pools cases into slots, with intervals from resampling cases.
class DiagnosticAggregator {
 public:
  explicit DiagnosticAggregator(const DiagnosticRun& run)
      : run_(run), bootstrap_(run.cases.size(), run.resamples, run.seed), everyone_(run.cases.size()) {
    std::iota(everyone_.begin(), everyone_.end(), std::size_t{0});
  }

  Json all(Scorer scorer) const { return slots(scorer, everyone_); }

  Json groups(Scorer scorer) const {
    Json out = Json::object({});
    Json labels = Json::object({});
    std::string kind;
    for (const DiagnosticGroup& group : diagnostic_groups(run_.cases)) {
      if (group.kind != kind && !kind.empty()) {
        out.set(kind, std::move(labels));
        labels = Json::object({});
      }
      kind = group.kind;
      labels.set(group.label, slots(scorer, group.members));
    }
    return kind.empty() ? out : out.set(kind, std::move(labels));
  }

 private:
  Json slots(Scorer scorer, const std::vector<std::size_t>& members) const {
    Json out = Json::object({});
    for (const Measure& measure : measures_of(run_, scorer)) out.set(measure.slot, slot(measure, members));
    return out;
  }

  Json slot(const Measure& measure, const std::vector<std::size_t>& members) const {
    std::vector<double> sums;
    double sum = 0;
    std::int64_t count = 0;
    std::int64_t failed = 0;
    std::int64_t undefined = 0;
    for (const std::size_t member : members) {
      const DiagnosticScore& each = run_.cases[member];
      sums.push_back(measure.sum(each));
      sums.push_back(static_cast<double>(measure.count(each)));
      sum += sums[sums.size() - 2];
      count += measure.count(each);
      failed += measure.failed(each);
      undefined += measure.count(each) == 0 ? 1 : 0;
    }
    Json out = Json::object(
        {{"value", count > 0 ? Json(sum / static_cast<double>(count)) : Json()}, {"metric", measure.metric}});
    if (count == 0) out.set("reason", "no case has a reference text");
    const auto interval = bootstrap_.interval95_of(
        members, sums, 2, [](std::span<const double> total) -> std::optional<double> {
          return total[1] > 0 ? std::optional(total[0] / total[1]) : std::nullopt;
        });
    out.set("ci95", count > 0 && interval ? ends(*interval) : Json());
    if (measure.is_share && count > 0) {
      const auto correct = static_cast<std::int64_t>(sum);
      out.set("wilson95", ends(wilson95(correct, count))).set("correct", correct);
    }
    out.set("n", count).set("n_undefined", undefined).set("n_failed", failed);
    return out.set("better", "higher").set("version", 1);
  }

  const DiagnosticRun& run_;
  ClusterBootstrap bootstrap_;
  std::vector<std::size_t> everyone_;
};

Json counts_json(const DiagnosticRun& run) {
  const Scorer primary = run.primary();
  Json out = Json::object({{"cases", static_cast<std::int64_t>(run.cases.size())},
                           {"missing", run.missing()},
                           {"invalid", run.invalid(primary)},
                           {"unknown_cases", static_cast<std::int64_t>(run.unknown.size())}});
  std::array<std::int64_t, answer_rules> rules{};
  for (const DiagnosticScore& each : run.cases) {
    if (each.answer(primary).letter) ++rules[static_cast<std::size_t>(each.answer(primary).rule)];
  }
  for (std::size_t i = 0; i + 1 < answer_rules; ++i) {
    out.set("rule_" + std::string(to_string(static_cast<AnswerRule>(i))), rules[i]);
  }
  return out;
}

// What needs no picture and no model: guessing, and always the commonest letter of the split.
Json baselines_json(const DiagnosticRun& run) {
  std::array<std::int64_t, 5> keys{};
  for (const DiagnosticScore& each : run.cases) ++keys[DiagnosticCase::letters.find(each.entry.key)];
  const auto most = static_cast<std::size_t>(std::max_element(keys.begin(), keys.end()) - keys.begin());
  const auto n = static_cast<std::int64_t>(run.cases.size());
  return Json::object(
      {{"chance", 0.2},
       {"majority", Json::object({{"letter", std::string(1, DiagnosticCase::letters[most])},
                                  {"value", static_cast<double>(keys[most]) / static_cast<double>(n)},
                                  {"wilson95", ends(wilson95(keys[most], n))},
                                  {"correct", keys[most]}})}});
}

Json remarks_json(const DiagnosticRun& run) {
  Json out{Json::Array{}};
  const auto add = [&out](const std::string& title, const char* code, const std::string& text) {
    out.push(Json::object({{"case", title}, {"code", code}, {"text", text}}));
  };
  for (const DiagnosticScore& each : run.cases) {
    if (each.is_missing) {
      add(each.entry.title, "missing", "no prediction");
    } else if (!each.answer(run.primary()).letter) {
      add(each.entry.title, "invalid", "no single letter from A to E could be found in the answer");
    }
    if (!each.steps_remark.empty()) add(each.entry.title, "steps", each.steps_remark);
  }
  for (const std::string& title : run.unknown) add(title, "unknown_case", "belongs to no case of the split");
  return out;
}

Json provenance_json(const DiagnosticRun& run, const Digest& plan_digest) {
  Json out = Json::object({{"tool", "fiducial"},
                           {"tool_version", FIDUCIAL_VERSION},
                           {"plan_sha256", plan_digest.hex()},
                           {"dataset_sha256", run.dataset_digest.hex()},
                           {"predictions_sha256", run.predictions_digest.hex()},
                           {"seed", run.seed},
                           {"resamples", run.resamples},
                           {"interval", "percentile bootstrap over cases"}});
  if (run.mode != ScoreMode::strict) out.set("official", "unconfirmed");
  return out;
}

std::vector<Scorer> scorers_of(const DiagnosticRun& run) {
  if (run.mode == ScoreMode::strict) return {Scorer::strict};
  if (run.mode == ScoreMode::official) return {Scorer::official};
  return {Scorer::strict, Scorer::official};
}

// The columns of rows.parquet while they are filled.
class DiagnosticRows {
 public:
  explicit DiagnosticRows(const DiagnosticRun& run) {
    for (const DiagnosticGroup& group : diagnostic_groups(run.cases)) {
      auto& labels = labels_.try_emplace(group.kind, run.cases.size()).first->second;
      for (const std::size_t member : group.members) {
        labels[member] += (labels[member].empty() ? "" : "; ") + group.label;
      }
    }
    for (const auto& [kind, labels] : labels_) groups_[kind];
  }

  void add(const DiagnosticRun& run, std::size_t at, Scorer scorer, const Measure& measure) {
    const DiagnosticScore& each = run.cases[at];
    const std::int64_t count = measure.count(each);
    const std::optional<char> letter = each.answer(scorer).letter;
    const bool is_failed = count > 0 && measure.failed(each) == count;
    case_.emplace_back(each.entry.title);
    patient_.emplace_back(each.entry.title);
    finding_.emplace_back(0);
    category_.emplace_back(each.entry.icd_category);
    scorer_.emplace_back(to_string(scorer));
    metric_.emplace_back(measure.slot.starts_with("rouge") ? measure.slot : measure.metric);
    version_.emplace_back(1);
    status_.emplace_back(count == 0        ? "undefined"
                         : each.is_missing ? "missing"
                         : is_failed       ? "failed"
                                           : "scored");
    value_.push_back(count > 0 ? std::optional(measure.sum(each) / static_cast<double>(count))
                               : std::nullopt);
    reason_.push_back(count == 0        ? std::optional<std::string>("no reference text")
                      : each.is_missing ? std::optional<std::string>("no prediction")
                      : is_failed       ? std::optional<std::string>("no answer could be found")
                                        : std::nullopt);
    answer_.push_back(letter ? std::optional(std::string(1, *letter)) : std::nullopt);
    rule_.emplace_back(to_string(each.answer(scorer).rule));
    for (auto& [kind, column] : groups_) column.emplace_back(labels_.at(kind)[at]);
  }

  Table take() {
    Table out{{{"case", std::move(case_)},
               {"patient", std::move(patient_)},
               {"finding", std::move(finding_)},
               {"category", std::move(category_)},
               {"scorer", std::move(scorer_)},
               {"metric", std::move(metric_)},
               {"version", std::move(version_)},
               {"status", std::move(status_)},
               {"value", std::move(value_)},
               {"reason", std::move(reason_)},
               {"answer", std::move(answer_)},
               {"answer_rule", std::move(rule_)}},
              {{"schema", "fiducial.rows/1"}}};
    for (auto& [kind, column] : groups_) out.columns.push_back({"group_" + kind, std::move(column)});
    return out;
  }

 private:
  std::map<std::string, std::vector<std::string>> labels_;  // by kind, one a case
  std::map<std::string, Column::Strings> groups_;           // by kind, one a row
  Column::Strings case_, patient_, category_, scorer_, metric_, status_, reason_, answer_, rule_;
  Column::Integers finding_, version_;
  Column::Numbers value_;
};

}  // namespace

Json plan_json(const DiagnosticRun& run) {
  Json metrics{Json::Array{}};
  for (const Scorer scorer : scorers_of(run)) {
    for (const Measure& measure : measures_of(run, scorer)) {
      metrics.push(Json::object({{"id", measure.is_share ? measure.metric : measure.slot},
                                 {"contract", measure.metric},
                                 {"version", 1},
                                 {"scorer", to_string(scorer)}}));
    }
  }
  return Json::object(
      {{"schema", "fiducial.plan/1"},
       {"tool", "fiducial"},
       {"tool_version", FIDUCIAL_VERSION},
       {"benchmark", run.benchmark},
       {"split", run.split},
       {"mode", to_string(run.mode)},
       {"system", run.system},
       {"seed", run.seed},
       {"resamples", run.resamples},
       {"metrics", std::move(metrics)},
       {"dataset", Json::object({{"file", run.dataset_file}, {"sha256", run.dataset_digest.hex()}})},
       {"predictions",
        Json::object({{"file", run.predictions_file}, {"sha256", run.predictions_digest.hex()}})},
       {"files", Json::Array{}}});
}

Json summary_json(const DiagnosticRun& run, const Digest& plan_digest) {
  const DiagnosticAggregator aggregator(run);
  const Scorer primary = run.primary();
  Json out = Json::object({{"schema", "fiducial.scores/1"},
                           {"benchmark", run.benchmark},
                           {"split", run.split},
                           {"mode", to_string(primary)},
                           {"system", run.system}});
  out.set("metrics", aggregator.all(primary));
  if (run.mode == ScoreMode::both) out.set("official", aggregator.all(Scorer::official));
  out.set("baselines", baselines_json(run));
  out.set("groups", aggregator.groups(primary));
  if (run.mode == ScoreMode::both) out.set("official_groups", aggregator.groups(Scorer::official));
  out.set("counts", counts_json(run));
  out.set("orientation", Json());
  out.set("remarks", remarks_json(run));
  return out.set("provenance", provenance_json(run, plan_digest));
}

Table rows_table(const DiagnosticRun& run) {
  DiagnosticRows rows(run);
  for (const Scorer scorer : scorers_of(run)) {
    const std::vector<Measure> measures = measures_of(run, scorer);
    for (std::size_t at = 0; at < run.cases.size(); ++at) {
      for (const Measure& measure : measures) rows.add(run, at, scorer, measure);
    }
  }
  return rows.take();
}

}  // namespace fiducial
