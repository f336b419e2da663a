#include "fiducial/eval/run/aggregate.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/tasks/finding_masks/mask_run.h"

namespace fiducial {
namespace {

MaskPlan plan_of(ScoreMode mode = ScoreMode::both) {
  MaskPlan plan{.mode = mode};
  EXPECT_TRUE(select_metrics(plan, {"dice", "hit", "instances"}).ok());
  return plan;
}

// Random scores: shares in [0, 1] of which some are undefined, counts that are never.
std::vector<Score> random_scores(Random& random, const std::vector<PlannedMetric>& metrics) {
  std::vector<Score> out;
  for (const PlannedMetric& planned : metrics) {
    if (planned.metric->contract.unit == "count") {
      out.emplace_back(static_cast<double>(random.between(0, 3)));
    } else if (random.uniform() < 0.2) {
      out.push_back(Score::undefined("drawn so"));
    } else {
      out.emplace_back(random.uniform());
    }
  }
  return out;
}

std::vector<CaseScore> random_cases(Random& random, const MaskPlan& plan, int count) {
  const char* categories[] = {"2d", "1c", "", "9z"};
  std::vector<CaseScore> out;
  for (int i = 0; i < count; ++i) {
    CaseScore scored;
    scored.name = "case" + decimal(i);
    scored.patient = "patient" + decimal(random.below(static_cast<std::uint64_t>(count)));
    scored.status = static_cast<CaseStatus>(random.below(3));
    scored.official_status = scored.status == CaseStatus::missing ? CaseStatus::missing : CaseStatus::scored;
    const std::int64_t findings = random.between(1, 4);
    for (std::int64_t f = 0; f < findings; ++f) {
      FindingScore finding;
      finding.index = f;
      finding.category = categories[random.below(4)];
      const bool is_known = finding.category == "2d" || finding.category == "1c";
      finding.category_group = is_known ? finding.category : "uncategorized";
      finding.focality = is_known ? "focal" : "uncategorized";
      finding.reference_voxels = random.between(0, 5000);
      finding.reference_entities = random.between(0, 5);
      finding.strict = random_scores(random, plan.metrics_of(Scorer::strict));
      if (scored.official_status == CaseStatus::scored)
        finding.official = random_scores(random, plan.metrics_of(Scorer::official));
      scored.findings.push_back(std::move(finding));
    }
    out.push_back(std::move(scored));
  }
  return out;
}

// A finding together with the case it belongs to.
struct FindingInCase {
  const CaseScore* scored_case = nullptr;
  const FindingScore* finding = nullptr;
};

std::vector<FindingInCase> findings_of(const std::vector<CaseScore>& cases) {
  std::vector<FindingInCase> out;
  for (const CaseScore& scored : cases) {
    for (const FindingScore& finding : scored.findings) out.push_back({&scored, &finding});
  }
  return out;
}

// The cases as a run, and the run pooled.
struct PooledCases {
  ScoreRun run;
  PooledRun pool;

  PooledCases(const MaskPlan& plan, const std::vector<CaseScore>& cases) {
    run.mode = plan.mode;
    run.seed = 3;
    run.resamples = 50;
    add_masks(run, plan, cases);
    for (const CaseScore& scored : cases) {
      if (scored.official_status == CaseStatus::failed && run.official_stopped.empty())
        run.official_stopped = std::string(official_stops_at) + scored.name + ": " + scored.official_reason;
    }
    pool = *pooled(run, Executor(2));
  }
  PooledCases(const PooledCases&) = delete;
  const std::vector<SlotValue>& slots(Scorer scorer) const { return pool.all.slots(scorer); }
};

// The slow, obvious version of a slot: every finding looked up by the metric's id.
class SlotOracle {
 public:
  SlotOracle(const MaskPlan& plan, Scorer scorer, const std::vector<FindingInCase>& chosen)
      : metrics_(plan.metrics_of(scorer)), scorer_(scorer), chosen_(chosen) {}

  SlotValue per_finding(const std::string& id) const {
    SlotValue out = counted(id);
    double sum = 0;
    for (const FindingInCase& view : chosen_) {
      if (const auto value = value_of(view, id)) sum += *value;
    }
    if (out.n > 0) out.value = sum / static_cast<double>(out.n);
    return out;
  }

  SlotValue per_case(const std::string& id) const {
    SlotValue out;
    std::set<std::string> names;
    for (const FindingInCase& view : chosen_) names.insert(view.scored_case->name);
    double sum = 0;
    for (const std::string& name : names) {
      double case_sum = 0;
      int case_count = 0;
      bool failed_case = false;
      bool left_out = true;
      for (const FindingInCase& view : chosen_) {
        if (view.scored_case->name != name) continue;
        failed_case = failed(view);
        left_out = left_out && scores(view).empty();
        if (const auto value = value_of(view, id)) {
          case_sum += *value;
          ++case_count;
        }
      }
      out.n_failed += failed_case ? 1 : 0;
      if (case_count > 0) {
        ++out.n;
        sum += case_sum / case_count;
      } else if (!left_out) {
        ++out.n_undefined;
      }
    }
    if (out.n > 0) out.value = sum / static_cast<double>(out.n);
    return out;
  }

  SlotValue per_category(const std::string& id) const {
    SlotValue out = counted(id);
    std::map<std::string, std::pair<double, int>> categories;
    for (const FindingInCase& view : chosen_) {
      const std::string& code = view.finding->category;
      auto& [sum, count] = categories[code == "2d" || code == "1c" ? code : "uncategorized"];
      if (const auto value = value_of(view, id)) {
        sum += *value;
        ++count;
      }
    }
    double total = 0;
    int used = 0;
    for (const auto& [code, of] : categories) {
      if (of.second == 0) continue;
      total += of.first / of.second;
      ++used;
    }
    out.n = static_cast<std::int64_t>(categories.size());
    if (used > 0) out.value = total / used;
    return out;
  }

  SlotValue share(const std::string& slot, const std::string& id) const {
    const std::string ending = id.substr(id.rfind('_'));
    SlotValue out = counted("instance_tp" + ending);
    const double tp = sum("instance_tp" + ending);
    const double fp = sum("instance_fp" + ending);
    const double fn = sum("instance_fn" + ending);
    const auto ratio = [this](double part, double whole) -> std::optional<double> {
      if (whole > 0) return part / whole;
      return scorer_ == Scorer::official ? std::optional(1.0) : std::nullopt;
    };
    if (out.n == 0) return out;
    const auto precision = ratio(tp, tp + fp);
    const auto recall = ratio(tp, tp + fn);
    if (slot.ends_with("_precision")) out.value = precision;
    if (slot.ends_with("_recall")) out.value = recall;
    if (!slot.ends_with("_f1")) return out;
    if (scorer_ == Scorer::official) {
      out.value = *precision + *recall > 0 ? 2 * *precision * *recall / (*precision + *recall) : 0;
    } else if (2 * tp + fp + fn > 0) {
      out.value = 2 * tp / (2 * tp + fp + fn);
    }
    return out;
  }

  SlotValue matched(const std::string& id) const {
    const std::string tp = "instance_tp" + id.substr(id.rfind('_'));
    SlotValue out = counted(id);
    out.n = 0;
    double sum = 0;
    for (const FindingInCase& view : chosen_) {
      const auto value = value_of(view, id);
      if (!value) continue;
      sum += *value * *value_of(view, tp);
      out.n += static_cast<std::int64_t>(*value_of(view, tp));
    }
    if (out.n > 0) out.value = sum / static_cast<double>(out.n);
    return out;
  }

 private:
  const std::vector<Score>& scores(const FindingInCase& view) const {
    return scorer_ == Scorer::strict ? view.finding->strict : view.finding->official;
  }
  bool failed(const FindingInCase& view) const {
    return (scorer_ == Scorer::strict ? view.scored_case->status : view.scored_case->official_status) !=
           CaseStatus::scored;
  }
  std::optional<double> value_of(const FindingInCase& view, const std::string& id) const {
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      if (metrics_[i].id != id || scores(view).empty() || !scores(view)[i].defined()) continue;
      return scores(view)[i].value();
    }
    return std::nullopt;
  }
  double sum(const std::string& id) const {
    double out = 0;
    for (const FindingInCase& view : chosen_) out += value_of(view, id).value_or(0);
    return out;
  }
  SlotValue counted(const std::string& id) const {
    SlotValue out;
    for (const FindingInCase& view : chosen_) {
      out.n_failed += failed(view) ? 1 : 0;
      if (scores(view).empty()) continue;
      value_of(view, id) ? ++out.n : ++out.n_undefined;
    }
    return out;
  }

  std::vector<PlannedMetric> metrics_;
  Scorer scorer_;
  std::vector<FindingInCase> chosen_;
};

SlotValue expected_slot(const SlotOracle& oracle, const SlotValue& slot) {
  const std::string& name = slot.measure->slot;
  const std::string& metric = slot.column->id;
  if (name == "dice_per_case") return oracle.per_case(metric);
  if (name == "dice_per_category") return oracle.per_category(metric);
  if (name.ends_with("matched_dice")) return oracle.matched(metric);
  if (name.starts_with("instance_") || name.starts_with("component_")) return oracle.share(name, metric);
  return oracle.per_finding(metric);
}

void expect_slots(const MaskPlan& plan, const PooledGroup& group, const std::vector<FindingInCase>& chosen) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    const SlotOracle oracle(plan, scorer, chosen);
    for (const SlotValue& slot : group.slots(scorer)) {
      const SlotValue expected = expected_slot(oracle, slot);
      const std::string what = std::string(to_string(scorer)) + " " + slot.measure->slot;
      ASSERT_EQ(slot.value.has_value(), expected.value.has_value()) << what;
      if (slot.value) {
        EXPECT_NEAR(*slot.value, *expected.value, 1e-12) << what;
      }
      EXPECT_EQ(slot.value.has_value(), slot.reason.empty()) << what;
      EXPECT_EQ(slot.n, expected.n) << what;
      EXPECT_EQ(slot.n_undefined, expected.n_undefined) << what;
      EXPECT_EQ(slot.n_failed, expected.n_failed) << what;
      if (slot.ci95) {
        EXPECT_LE(slot.ci95->low, slot.ci95->high) << what;
      }
    }
  }
}

std::vector<std::string> slot_names(const std::vector<SlotValue>& slots) {
  std::vector<std::string> out;
  for (const SlotValue& slot : slots) out.push_back(slot.measure->slot + " " + slot.column->id);
  return out;
}

TEST(Aggregator, agrees_with_the_obvious_sums_on_random_scores_and_all_their_groups) {
  Random random(21, "aggregate");
  const MaskPlan plan = plan_of();
  for (int round = 0; round < 40; ++round) {
    const std::vector<CaseScore> cases = random_cases(random, plan, 1 + round % 8);
    const PooledCases pooled(plan, cases);
    const std::vector<FindingInCase> all = findings_of(cases);
    expect_slots(plan, pooled.pool.all, all);
    std::size_t at = 0;
    for (const GroupKind& kind : pooled.run.groups) {
      for (const LabelledUnits& group : kind.groups) {
        std::vector<FindingInCase> chosen;
        for (const std::uint32_t unit : group.members) chosen.push_back(all[unit]);
        ASSERT_EQ(pooled.pool.groups.at(at).label, group.label);
        expect_slots(plan, pooled.pool.groups[at++], chosen);
      }
    }
  }
}

TEST(Aggregator, names_the_metric_behind_every_slot) {
  const MaskPlan plan = plan_of();
  Random random(22, "names");
  const std::vector<CaseScore> cases = random_cases(random, plan, 3);
  const PooledCases aggregator(plan, cases);
  EXPECT_EQ(slot_names(aggregator.slots(Scorer::strict)),
            (std::vector<std::string>{
                "dice_per_case dice", "dice_per_finding dice", "dice_per_category dice",
                "dice_filtered_per_finding dice_filtered", "iou_per_finding iou", "hit_rate hit10",
                "hit5_rate hit5", "instance_precision instance_precision_entity18",
                "instance_recall instance_recall_entity18", "instance_f1 instance_f1_entity18",
                "matched_dice matched_dice_entity18", "component_precision instance_precision_strict18",
                "component_recall instance_recall_strict18", "component_f1 instance_f1_strict18",
                "component_matched_dice matched_dice_strict18"}));
  EXPECT_EQ(slot_names(aggregator.slots(Scorer::official)),
            (std::vector<std::string>{
                "dice_per_case dice_rexrank_filtered", "dice_per_finding dice_rexrank_filtered",
                "hit_rate hit10_rexrank_filtered", "instance_precision instance_precision_greedy18",
                "instance_recall instance_recall_greedy18", "instance_f1 instance_f1_greedy18",
                "matched_dice matched_dice_greedy18"}));
}

TEST(Aggregator, gives_a_metric_without_a_slot_of_its_own_its_mean_over_findings) {
  MaskMetric made = *find_mask_metric("iou");
  made.contract.id = "made_up";
  MaskPlan plan{.mode = ScoreMode::strict};
  plan.metrics = {{&made, "made_up"}};
  std::vector<CaseScore> cases(2);
  cases[0].name = "a";
  cases[0].findings.push_back({.strict = {Score(0.25)}});
  cases[1].name = "b";
  cases[1].findings.push_back({.strict = {Score(0.75)}});
  const PooledCases aggregator(plan, cases);
  const std::vector<SlotValue>& slots = aggregator.slots(Scorer::strict);
  EXPECT_EQ(slot_names(slots), std::vector<std::string>{"made_up_per_finding made_up"});
  EXPECT_EQ(slots.front().value, 0.5);
}

TEST(Aggregator, leaves_a_missing_prediction_out_of_the_official_means_and_counts_it) {
  MaskPlan plan = plan_of();
  ASSERT_TRUE(select_metrics(plan, {"dice"}).ok());
  std::vector<CaseScore> cases(2);
  cases[0].name = "a";
  cases[0].findings.push_back({.strict = {Score(0.8), Score(0.8), Score(0.7)}, .official = {Score(0.8)}});
  cases[1].name = "b";
  cases[1].status = cases[1].official_status = CaseStatus::missing;
  cases[1].findings.push_back({.strict = {Score(0), Score(0), Score(0)}});
  const PooledCases aggregator(plan, cases);
  const SlotValue strict = aggregator.slots(Scorer::strict).front();
  EXPECT_EQ(strict.value, 0.4);
  EXPECT_EQ(strict.n, 2);
  EXPECT_EQ(strict.n_failed, 1);
  const SlotValue official = aggregator.slots(Scorer::official).front();
  EXPECT_EQ(official.value, 0.8);
  EXPECT_EQ(official.n, 1);
  EXPECT_EQ(official.n_failed, 1);
}

TEST(Aggregator, has_no_official_value_once_the_published_scorer_would_have_stopped) {
  const MaskPlan plan = plan_of();
  Random random(23, "stopped");
  std::vector<CaseScore> cases = random_cases(random, plan, 4);
  cases[2].official_status = CaseStatus::failed;
  cases[2].official_reason = "wrong shape";
  const PooledCases aggregator(plan, cases);
  for (const SlotValue& slot : aggregator.slots(Scorer::official)) {
    EXPECT_FALSE(slot.value) << slot.measure->slot;
    EXPECT_EQ(slot.reason, "the published scorer stops at case2: wrong shape");
  }
}

TEST(Aggregator, resamples_patients_not_cases) {
  MaskPlan plan = plan_of();
  ASSERT_TRUE(select_metrics(plan, {"dice"}).ok());
  std::vector<CaseScore> cases(7);
  for (std::size_t i = 0; i < 7; ++i) {
    cases[i].name = "case" + decimal(i);
    cases[i].patient = "patient" + decimal(i < 3 ? 0 : i);
    const Score score(static_cast<double>(i) / 8);
    cases[i].findings.push_back({.strict = {score, score, score}, .official = {score}});
  }
  const auto interval = [&plan](const std::vector<CaseScore>& scored) {
    const PooledCases aggregator(plan, scored);
    return aggregator.slots(Scorer::strict)[1].ci95;
  };
  const double sums[] = {0.0 + 0.125 + 0.25, 3, 0.375, 1, 0.5, 1, 0.625, 1, 0.75, 1};
  const auto expected = ClusterBootstrap(5, 50, 3).interval95(
      sums, 2, [](auto total) { return std::optional(total[0] / total[1]); });
  ASSERT_TRUE(interval(cases));
  EXPECT_EQ(interval(cases)->low, expected->low);
  EXPECT_EQ(interval(cases)->high, expected->high);
  cases[3].patient = cases[4].patient;
  EXPECT_FALSE(interval(cases)) << "four patients have no interval";
  EXPECT_EQ(PooledCases(plan, cases).slots(Scorer::strict)[1].no_interval, "fewer than 5 patients");
}

TEST(Aggregator, never_rewards_replacing_predictions_by_missing_ones_in_strict) {
  Random random(24, "less");
  const MaskPlan plan = plan_of(ScoreMode::strict);
  for (int round = 0; round < 30; ++round) {
    std::vector<CaseScore> cases = random_cases(random, plan, 5);
    for (CaseScore& scored : cases) {
      scored.status = CaseStatus::scored;
      for (FindingScore& finding : scored.findings) {
        for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
          const std::string& id = plan.metrics[i].id;
          if (id.starts_with("instance_recall") || !plan.metrics[i].metric->contract.less_is_never_better)
            continue;
          finding.strict[i] = Score(random.uniform());
        }
      }
    }
    std::vector<CaseScore> without = cases;
    without[0].status = CaseStatus::missing;
    for (FindingScore& finding : without[0].findings) {
      for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
        const MetricContract& contract = plan.metrics[i].metric->contract;
        if (contract.empty.missing_value) finding.strict[i] = Score(*contract.empty.missing_value);
      }
      // Every entity becomes a miss: tp, fp, fn of both contracts stand at these places of the plan.
      for (const std::size_t tp : {std::size_t{5}, std::size_t{12}}) {
        finding.strict[tp + 2] = Score(finding.strict[tp].value() + finding.strict[tp + 2].value());
        finding.strict[tp] = finding.strict[tp + 1] = Score(0.0);
      }
    }
    const PooledCases before(plan, cases);
    const PooledCases after(plan, without);
    const std::vector<SlotValue>& with = before.slots(Scorer::strict);
    const std::vector<SlotValue>& less = after.slots(Scorer::strict);
    for (std::size_t i = 0; i < with.size(); ++i) {
      if (!find_mask_metric(with[i].column->id)->contract.less_is_never_better || !with[i].value) continue;
      EXPECT_LE(*less[i].value, *with[i].value + 1e-15) << with[i].measure->slot;
    }
  }
}

}  // namespace
}  // namespace fiducial
