#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/eval/diagnostic_aggregate.h"
#include "fiducial/eval/diagnostic_score.h"
#include "fiducial/eval/private_outputs.h"
#include "fiducial/eval/row_columns.h"
#include "fiducial/eval/score_folder.h"
#include "fiducial/stats/wilson.h"
#include "fiducial/table/parquet.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

Json counts_json(const DiagnosticRun& run) {
  const Scorer primary = run.primary();
  Json out = Json::object({{"cases", static_cast<std::int64_t>(run.cases.size())},
                           {"missing", run.missing()},
                           {"invalid", run.invalid(primary)},
                           {"unknown_cases", run.unknown_cases}});
  std::array<std::int64_t, answer_rules> rules{};
  std::int64_t equal_options = 0;
  for (const DiagnosticScore& each : run.cases) {
    const ExtractedAnswer& answer = each.answer(primary);
    if (answer.letter) ++rules[static_cast<std::size_t>(answer.rule)];
    equal_options += each.is_correct(primary) && answer.letter != each.entry.key ? 1 : 0;
  }
  for (std::size_t i = 0; i + 1 < answer_rules; ++i) {
    out.set("rule_" + std::string(to_string(static_cast<AnswerRule>(i))), rules[i]);
  }
  if (run.accept_equal_options) out.set("right_by_equal_option", equal_options);
  if (run.judged.empty()) return out;
  std::array<std::int64_t, 3> statuses{};
  for (const JudgedCase& judged : run.judged) {
    for (const JudgedStep& step : judged.steps[static_cast<std::size_t>(primary)]) {
      ++statuses[static_cast<std::size_t>(step.verdict.status)];
    }
  }
  return out.set("steps", statuses[0] + statuses[1] + statuses[2])
      .set("steps_judged", statuses[0])
      .set("steps_missing", statuses[1])
      .set("steps_invalid", statuses[2]);
}

// What needs no picture and no model: guessing, always the commonest letter of the split, and guessing as
// often as keys have each letter. Then what others reach who were not shown the pictures.
Json baselines_json(const DiagnosticRun& run) {
  std::array<std::int64_t, 5> keys{};
  for (const DiagnosticScore& each : run.cases) ++keys[DiagnosticCase::letters.find(each.entry.key)];
  const auto most = static_cast<std::size_t>(std::max_element(keys.begin(), keys.end()) - keys.begin());
  const auto n = static_cast<std::int64_t>(run.cases.size());
  double prior = 0;
  for (const std::int64_t count : keys) {
    const double share = static_cast<double>(count) / static_cast<double>(n);
    prior += share * share;
  }
  Json out = Json::object(
      {{"chance", 0.2},
       {"majority", Json::object({{"letter", std::string(1, DiagnosticCase::letters[most])},
                                  {"value", static_cast<double>(keys[most]) / static_cast<double>(n)},
                                  {"wilson95", interval_ends(wilson95(keys[most], n))},
                                  {"correct", keys[most]}})},
       {"letter_prior", prior}});
  Json runs{Json::Array{}};
  for (const BaselineScore& each : run.baselines) {
    runs.push(Json::object({{"name", each.name},
                            {"value", static_cast<double>(each.correct) / static_cast<double>(n)},
                            {"wilson95", interval_ends(wilson95(each.correct, n))},
                            {"correct", each.correct},
                            {"missing", each.missing},
                            {"invalid", each.invalid}}));
  }
  return run.baselines.empty() ? out : out.set("runs", std::move(runs));
}

Json remarks_json(const DiagnosticRun& run) {
  Json out{Json::Array{}};
  for (const DiagnosticRemark& each : run.remarks) {
    out.push(Json::object({{"case", each.title}, {"code", each.code}, {"text", each.text}}));
  }
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

// How far several raters agree in their totals.
Json rating_agreement_json(const DiagnosticRun& run) {
  const RaterTotals of = rater_totals(run.ratings);
  Json raters{Json::Array{}};
  for (const std::string& rater : of.raters) raters.push(rater);
  Json out =
      Json::object({{"raters", std::move(raters)}, {"cases", static_cast<std::int64_t>(of.totals.size())}});
  const auto add = [&](const char* name, const AgreementStatistic& statistic) {
    const auto value = statistic(of.totals);
    const auto interval = value ? agreement_interval95(of.totals, statistic, 1000, run.seed) : std::nullopt;
    out.set(name, Json::object({{"value", value ? Json(*value) : Json()},
                                {"ci95", interval ? interval_ends(*interval) : Json()}}));
  };
  add("icc_2_1", [](const Ratings& ratings) { return intraclass_correlation(ratings, IccForm::two_single); });
  add("krippendorff_alpha_interval",
      [](const Ratings& ratings) { return krippendorff_alpha(ratings, AlphaLevel::interval); });
  return out;
}

Json words_json(const std::vector<std::string>& words) {
  Json out{Json::Array{}};
  for (const std::string& word : words) out.push(word);
  return out;
}

Json file_json(const std::string& name, const Digest& digest) {
  return Json::object({{"file", name}, {"sha256", digest.hex()}});
}

}  // namespace

Json plan_json(const DiagnosticRun& run) {
  Json metrics{Json::Array{}};
  for (const Scorer scorer : run.scorers()) {
    for (const CaseMeasure& measure : run.measures[static_cast<std::size_t>(scorer)]) {
      metrics.push(Json::object({{"id", measure.contract->id},
                                 {"contract", measure.contract->id},
                                 {"version", measure.contract->version},
                                 {"scorer", to_string(scorer)}}));
    }
  }
  Json out = Json::object({{"schema", "fiducial.plan/1"},
                           {"tool", "fiducial"},
                           {"tool_version", FIDUCIAL_VERSION},
                           {"benchmark", run.benchmark},
                           {"split", run.split},
                           {"mode", to_string(run.mode)},
                           {"system", run.system},
                           {"seed", run.seed},
                           {"resamples", run.resamples},
                           {"metrics", std::move(metrics)}});
  if (!run.metrics.empty()) out.set("asked_metrics", words_json(run.metrics));
  if (!run.group_by.empty()) out.set("group_kinds", words_json(run.group_by));
  if (run.accept_equal_options) out.set("accepts_equal_options", true);
  out.set("dataset", file_json(run.dataset_file, run.dataset_digest));
  out.set("predictions", file_json(run.predictions_file, run.predictions_digest));
  Json inputs{Json::Array{}};
  for (const InputFile& input : run.inputs) {
    Json one = file_json(input.name, input.digest);
    inputs.push(one.set("role", input.role));
  }
  for (const BaselineScore& baseline : run.baselines) {
    Json one = file_json(baseline.file, baseline.digest);
    inputs.push(one.set("role", "baseline").set("name", baseline.name));
  }
  if (!inputs.as_array()->empty()) out.set("inputs", std::move(inputs));
  return out.set("files", Json::Array{});
}

Result<Json> summary_json(const DiagnosticRun& run, const Digest& plan_digest, const Executor& executor) {
  FIDUCIAL_TRY(const DiagnosticAggregator aggregator, DiagnosticAggregator::make(run, executor));
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
  if (!run.ratings.empty()) out.set("rating_agreement", rating_agreement_json(run));
  out.set("orientation", Json());
  out.set("remarks", remarks_json(run));
  return out.set("provenance", provenance_json(run, plan_digest));
}

namespace {

// The labels of every case by kind of group; several stand beside each other.
std::map<std::string, std::vector<std::string>> labels_of(const DiagnosticRun& run) {
  std::map<std::string, std::vector<std::string>> out;
  const auto groups = diagnostic_groups(run.cases, run.group_by);
  FIDUCIAL_ASSERT(groups.ok());  // scoring looked at them already
  for (const DiagnosticGroup& group : *groups) {
    auto& labels = out.try_emplace(group.kind, run.cases.size()).first->second;
    for (const std::size_t member : group.members) {
      labels[member] += (labels[member].empty() ? "" : std::string(label_separator)) + group.label;
    }
  }
  return out;
}

ScoreRow row_of(const DiagnosticRun& run, std::size_t at, const CaseMeasure& measure) {
  const DiagnosticScore& each = run.cases[at];
  const double count = measure.counts[at];
  ScoreRow out{.case_name = each.entry.title,
               .patient = each.entry.title,
               .category = each.entry.icd_category,
               .metric = measure.contract->id,
               .version = measure.contract->version,
               .status = "scored"};
  if (count > 0) out.value = measure.sums[at] / count;
  if (count == 0) {
    out.status = "undefined";
    out.reason = measure.absence;
  } else if (measure.failed[at] == count) {
    out.status = each.is_missing ? "missing" : "failed";
    out.reason = each.is_missing                        ? "no prediction"
                 : measure.contract->group == "answers" ? "no answer could be found"
                                                        : "no text was predicted";
  }
  return out;
}

}  // namespace

Table rows_table(const DiagnosticRun& run) {
  RowColumns rows;
  Column::Numbers weights;
  Column::Strings answers;
  Column::Strings rules;
  const auto labels = labels_of(run);
  std::map<std::string, Column::Strings> groups;
  for (const Scorer scorer : run.scorers()) {
    for (std::size_t at = 0; at < run.cases.size(); ++at) {
      const ExtractedAnswer& answer = run.cases[at].answer(scorer);
      for (const CaseMeasure& measure : run.measures[static_cast<std::size_t>(scorer)]) {
        if (measure.corpus) continue;
        ScoreRow row = row_of(run, at, measure);
        row.scorer = scorer;
        rows.add(row);
        weights.emplace_back(measure.counts[at]);
        answers.push_back(answer.letter ? std::optional(std::string(1, *answer.letter)) : std::nullopt);
        rules.emplace_back(to_string(answer.rule));
        for (const auto& [kind, of_cases] : labels) groups[kind].emplace_back(of_cases[at]);
      }
    }
  }
  std::vector<Column> further;
  further.push_back({"weight", std::move(weights)});
  further.push_back({"answer", std::move(answers)});
  further.push_back({"answer_rule", std::move(rules)});
  for (auto& [kind, column] : groups) further.push_back({group_column_prefix + kind, std::move(column)});
  return rows.take(std::move(further));
}

Table steps_table(const DiagnosticRun& run) {
  Column::Strings cases, scorers, texts, statuses, reasons, types;
  Column::Integers numbers, factual, critical;
  for (const JudgedCase& judged : run.judged) {
    for (const Scorer scorer : run.scorers()) {
      for (const JudgedStep& step : judged.steps[static_cast<std::size_t>(scorer)]) {
        const StepVerdict& verdict = step.verdict;
        const bool ok = verdict.status == VerdictStatus::ok;
        std::string labels;
        for (std::size_t i = 0; i < step_error_type_count; ++i) {
          if (verdict.error_types.at(i))
            labels += (labels.empty() ? "" : "; ") + std::string(step_error_types[i].label);
        }
        cases.emplace_back(run.cases[judged.at].entry.title);
        scorers.emplace_back(to_string(scorer));
        numbers.emplace_back(static_cast<std::int64_t>(step.number));
        texts.emplace_back(step.text);
        statuses.emplace_back(to_string(verdict.status));
        factual.push_back(ok ? std::optional<std::int64_t>(verdict.is_factual ? 1 : 0) : std::nullopt);
        critical.push_back(ok ? std::optional<std::int64_t>(verdict.is_critical ? 1 : 0) : std::nullopt);
        types.emplace_back(labels);
        reasons.push_back(verdict.reason.empty() ? std::nullopt : std::optional(verdict.reason));
      }
    }
  }
  return {{{"case", std::move(cases)},
           {"scorer", std::move(scorers)},
           {"step", std::move(numbers)},
           {"text", std::move(texts)},
           {"status", std::move(statuses)},
           {"is_factual", std::move(factual)},
           {"is_critical", std::move(critical)},
           {"error_types", std::move(types)},
           {"reason", std::move(reasons)}},
          {{"schema", "fiducial.steps/1"}}};
}

Table sentences_table(const DiagnosticRun& run) {
  Column::Strings cases, sections, texts;
  Column::Integers numbers, raters;
  Column::Numbers correct;
  for (const WrittenDiscussion& each : run.discussions) {
    const DiagnosticCase& entry = run.cases[each.at].entry;
    std::map<std::size_t, std::int64_t> counts;  // sentences of a section that was repeated go on
    for (const DiscussionSection& section : each.discussion.sections) {
      for (const Sentence& sentence : split_sentences(section.text)) {
        if (sentence.content.size() == 0) continue;
        const std::int64_t number = ++counts[section.heading];
        double sum = 0;
        std::int64_t votes = 0;
        const auto ratings = run.ratings.find(entry.number);
        for (std::size_t r = 0; ratings != run.ratings.end() && r < ratings->second.size(); ++r) {
          for (const SentenceRating& rating : ratings->second[r].sentences) {
            if (rating.heading != section.heading || static_cast<std::int64_t>(rating.sentence) != number)
              continue;
            sum += rating.correct ? 1 : 0;
            ++votes;
          }
        }
        cases.emplace_back(entry.title);
        sections.emplace_back(discussion_headings.at(section.heading));
        numbers.emplace_back(number);
        texts.emplace_back(sentence.content.of(section.text));
        raters.emplace_back(votes);
        correct.push_back(votes > 0 ? std::optional(sum / static_cast<double>(votes)) : std::nullopt);
      }
    }
  }
  return {{{"case", std::move(cases)},
           {"section", std::move(sections)},
           {"sentence", std::move(numbers)},
           {"text", std::move(texts)},
           {"raters", std::move(raters)},
           {"correct", std::move(correct)}},
          {{"schema", "fiducial.sentences/1"}}};
}

Result<Json> write_scores(const DiagnosticRun& run, const ScoreOutput& output, const Executor& executor) {
  FIDUCIAL_TRY(StagedFolder staged,
               StagedFolder::create(output.folder, score_folder_marker, output.overwrite));
  const std::string plan = plan_json(run).pretty();
  FIDUCIAL_TRY(Json summary, summary_json(run, sha256(as_bytes(plan)), executor));
  if (output.is_private) summary = private_summary(summary);
  FIDUCIAL_TRY_DONE(write_file(staged.staging() / "plan.json", plan));
  FIDUCIAL_TRY_DONE(write_file(staged.staging() / "summary.json", summary.pretty()));
  if (!output.is_private) {
    FIDUCIAL_TRY_DONE(write_parquet(staged.staging() / "rows.parquet", rows_table(run)));
    if (!run.provided_components.empty())
      FIDUCIAL_TRY_DONE(write_file(staged.staging() / components_file, run.provided_components));
    if (!run.judged.empty())
      FIDUCIAL_TRY_DONE(write_parquet(staged.staging() / "steps.parquet", steps_table(run)));
    if (!run.discussions.empty())
      FIDUCIAL_TRY_DONE(write_parquet(staged.staging() / "sentences.parquet", sentences_table(run)));
  }
  FIDUCIAL_TRY_DONE(finish_scores(staged, output, summary));
  return summary;
}

}  // namespace fiducial
