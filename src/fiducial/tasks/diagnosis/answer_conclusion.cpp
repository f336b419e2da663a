#include "fiducial/tasks/diagnosis/answer_conclusion.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/stats/agreement.h"
#include "fiducial/stats/wilson.h"

namespace fiducial {

namespace {

Json ends_of(const Interval& interval) { return Json::array({interval.low, interval.high}); }

// What is known of every case.
using Evidence = std::vector<Json>;

std::int64_t sum_of(const Evidence& evidence, const std::string& key) {
  std::int64_t out = 0;
  for (const Json& of_case : evidence) out += integer_at(of_case, key);
  return out;
}

Json answer_counts(const ScoreRun& run, const Evidence& evidence) {
  const auto remarks_of = [&run](const char* code) {
    return std::count_if(run.remarks.begin(), run.remarks.end(),
                         [code](const Remark& remark) { return remark.code == code; });
  };
  const auto unknown = remarks_of(unknown_case_code);
  Json out = Json::object({{"cases", static_cast<std::int64_t>(run.cases.size())},
                           {"missing", sum_of(evidence, "missing")},
                           {"ambiguous", sum_of(evidence, "ambiguous")},
                           {"refused", sum_of(evidence, "refused")},
                           {"invalid", sum_of(evidence, "invalid")},
                           {"unknown_cases", static_cast<std::int64_t>(unknown)}});
  std::map<std::string, std::int64_t> rules;
  for (const Json& of_case : evidence) ++rules[text_at(of_case, "rule")];
  for (std::size_t i = 0; i < answer_rules; ++i) {
    const std::string rule(to_string(static_cast<AnswerRule>(i)));
    out.set("rule_" + rule, rules[rule]);
  }
  if (run.options.contains("skip-bad-lines"))
    out.set("skipped_lines", static_cast<std::int64_t>(remarks_of(skipped_line_code)));
  if (run.options.contains("accept-equal-options"))
    out.set("right_by_equal_option", sum_of(evidence, "equal_option"));
  const bool is_judged = std::any_of(evidence.begin(), evidence.end(), [](const Json& of_case) {
    return of_case.find("steps_judged") != nullptr;
  });
  if (!is_judged) return out;
  const std::int64_t judged = sum_of(evidence, "steps_judged");
  const std::int64_t missing = sum_of(evidence, "steps_missing");
  const std::int64_t invalid = sum_of(evidence, "steps_invalid");
  return out.set("steps", judged + missing + invalid)
      .set("steps_judged", judged)
      .set("steps_missing", missing)
      .set("steps_invalid", invalid);
}

// How often each letter is the key.
std::array<std::int64_t, 5> key_counts(const Evidence& evidence) {
  std::array<std::int64_t, 5> out{};
  for (const Json& of_case : evidence) {
    const std::string key = text_at(of_case, "key");
    const auto at = key.empty() ? std::string_view::npos : DiagnosisCase::letters.find(key[0]);
    if (at < out.size()) ++out.at(at);
  }
  return out;
}

// What others reach who were not shown the pictures.
Json baseline_runs(const ScoreRun& run, const Evidence& evidence) {
  Json out{Json::Array{}};
  const auto n = static_cast<std::int64_t>(run.cases.size());
  for (const InputFile& input : run.inputs) {
    if (input.role != "baseline") continue;
    const std::int64_t correct = sum_of(evidence, "correct of " + input.name);
    out.push(Json::object({{"name", input.name},
                           {"value", static_cast<double>(correct) / static_cast<double>(n)},
                           {"wilson95", ends_of(wilson95(correct, n))},
                           {"correct", correct},
                           {"missing", sum_of(evidence, "missing of " + input.name)},
                           {"invalid", sum_of(evidence, "invalid of " + input.name)}}));
  }
  return out;
}

// What needs no picture and no model: guessing, always the commonest letter of the split, and guessing as
// often as keys have each letter. Then what others reach who were not shown the pictures.
Json baselines_json(const ScoreRun& run, const Evidence& evidence) {
  const std::array<std::int64_t, 5> keys = key_counts(evidence);
  const auto most = static_cast<std::size_t>(std::max_element(keys.begin(), keys.end()) - keys.begin());
  const auto n = static_cast<std::int64_t>(run.cases.size());
  double prior = 0;
  for (const std::int64_t count : keys) {
    const double share = static_cast<double>(count) / static_cast<double>(n);
    prior += share * share;
  }
  Json out = Json::object(
      {{"chance", 0.2},
       {"majority", Json::object({{"letter", std::string(1, DiagnosisCase::letters[most])},
                                  {"value", static_cast<double>(keys[most]) / static_cast<double>(n)},
                                  {"wilson95", ends_of(wilson95(keys[most], n))},
                                  {"correct", keys[most]}})},
       {"letter_prior", prior}});
  Json runs = baseline_runs(run, evidence);
  return runs.as_array()->empty() ? out : out.set("runs", std::move(runs));
}

// The raters' totals: one row a rated case, one column a rater, by name.
RaterTotals totals_of(const Evidence& evidence) {
  std::map<std::int64_t, const Json::Object*> by_number;
  std::set<std::string> names;
  for (const Json& of_case : evidence) {
    const Json* rated = of_case.find("ratings");
    if (rated == nullptr || rated->as_object() == nullptr) continue;
    by_number.emplace(integer_at(of_case, "number"), rated->as_object());
    for (const auto& [rater, total] : *rated->as_object()) names.insert(rater);
  }
  RaterTotals out{{names.begin(), names.end()}, {}};
  for (const auto& [number, totals] : by_number) {
    out.totals.emplace_back(out.raters.size());
    for (const auto& [rater, total] : *totals) {
      const auto at = std::lower_bound(out.raters.begin(), out.raters.end(), rater) - out.raters.begin();
      out.totals.back()[static_cast<std::size_t>(at)] = total.as_number();
    }
  }
  return out;
}

// How far several raters agree in their totals.
Json rating_agreement_json(const Evidence& evidence, std::uint64_t seed) {
  const RaterTotals of = totals_of(evidence);
  Json out = Json::object(
      {{"raters", Json::strings(of.raters)}, {"cases", static_cast<std::int64_t>(of.totals.size())}});
  const auto add = [&](const char* name, const AgreementStatistic& statistic) {
    const auto value = statistic(of.totals);
    const auto interval = value ? agreement_interval95(of.totals, statistic, 1000, seed) : std::nullopt;
    out.set(name, Json::object({{"value", value ? Json(*value) : Json()},
                                {"ci95", interval ? ends_of(*interval) : Json()}}));
  };
  add("icc_2_1",
      [](const WeightedRatings& each) { return intraclass_correlation(each, IccForm::two_single); });
  add("krippendorff_alpha_interval",
      [](const WeightedRatings& each) { return krippendorff_alpha(each, AlphaLevel::interval); });
  return out;
}

}  // namespace

std::string answer_evidence(const AnsweredSplit& split, std::size_t at, Scorer primary) {
  const AnsweredCase& each = split.cases[at];
  const ExtractedAnswer& answer = each.answer(primary);
  Json out = Json::object({{"number", each.entry.number}, {"key", std::string(1, each.entry.key)}});
  const auto flag = [&out](const std::string& key, bool is_set) {
    if (is_set) out.set(key, 1);
  };
  flag("missing", each.is_missing);
  if (!each.is_missing && !answer.letter) flag(unanswered_code(answer.rule), true);
  flag("equal_option", each.is_correct(primary) && answer.letter != each.entry.key);
  if (answer.letter) out.set("rule", to_string(answer.rule));
  if (!split.judged.empty()) {
    std::array<std::int64_t, 3> statuses{};
    for (const JudgedStep& step : split.judged[at].steps[static_cast<std::size_t>(primary)]) {
      ++statuses[static_cast<std::size_t>(step.verdict.status)];
    }
    out.set("steps_judged", statuses[0]).set("steps_missing", statuses[1]).set("steps_invalid", statuses[2]);
  }
  for (const BaselineAnswers& baseline : split.baselines) {
    const AnsweredCase& other = baseline.cases[at];
    flag("correct of " + baseline.name, other.is_correct(primary));
    flag("missing of " + baseline.name, other.is_missing);
    flag("invalid of " + baseline.name, !other.is_missing && !other.answer(primary).letter);
  }
  const auto ratings = split.ratings.find(each.entry.number);
  if (ratings == split.ratings.end()) return out.compact();
  Json totals = Json::object({});
  for (const CaseRating& rating : ratings->second) {
    const auto total = rating.total();
    totals.set(rating.rater, total ? Json(*total) : Json());
  }
  return out.set("ratings", std::move(totals)).compact();
}

Outcome conclude_answers(ScoreRun& run) {
  Evidence evidence;
  for (const RunCase& entry : run.cases) {
    FIDUCIAL_TRY(evidence.emplace_back(), parse_json(entry.evidence));
  }
  run.counts = answer_counts(run, evidence);
  run.baselines = baselines_json(run, evidence);
  if (const Json* judge = run.common.find("judge"))
    run.blocks.push_back({"judge", *judge, static_cast<std::int64_t>(run.cases.size())});
  const bool is_rated = std::any_of(run.inputs.begin(), run.inputs.end(),
                                    [](const InputFile& input) { return input.role == "ratings"; });
  if (is_rated) {
    Json agreement = rating_agreement_json(evidence, run.seed);
    const std::int64_t rated = integer_at(agreement, "cases");
    run.blocks.push_back({"rating_agreement", std::move(agreement), rated});
  }
  return done();
}

}  // namespace fiducial
