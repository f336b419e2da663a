#include "fiducial/tasks/finding_masks/rexrank_json.h"

#include <gtest/gtest.h>

#include "fiducial/eval/run/aggregate.h"
#include "fiducial/tasks/finding_masks/mask_run.h"

namespace fiducial {
namespace {

MaskPlan official_plan(bool global_only = false) {
  MaskPlan plan{.mode = ScoreMode::official, .global_only = global_only};
  EXPECT_TRUE(select_metrics(plan, {"dice", "hit", "instances"}).ok());
  return plan;
}

// A finding with that many matches, spare components and missed entities; every match has Dice 0.5.
FindingScore finding_with(std::int64_t tp, std::int64_t fp, std::int64_t fn, double dice) {
  FindingScore out;
  InstanceMatching matching;
  for (std::int32_t i = 1; i <= tp; ++i) matching.matches.push_back({i, i, 0.5});
  for (std::int32_t i = 1; i <= fp; ++i) matching.unmatched_prediction.push_back(i);
  for (std::int32_t i = 1; i <= fn; ++i) matching.unmatched_reference.push_back(i);
  const auto number = [](std::int64_t n) { return Score(static_cast<double>(n)); };
  out.official = {Score(dice), Score(dice >= 0.1 ? 1.0 : 0.0),
                  number(tp),  number(fp),
                  number(fn),  Score(0.0),
                  Score(0.0),  Score(0.0),
                  Score(0.5)};
  out.official_matching = matching;
  return out;
}

struct ScoredCases {
  MaskPlan plan;
  std::vector<CaseScore> cases;
};

ScoredCases run_of(std::vector<std::vector<FindingScore>> cases, bool global_only = false) {
  ScoredCases run{official_plan(global_only), {}};
  for (std::vector<FindingScore>& findings : cases) {
    CaseScore scored;
    scored.name = "case" + std::string(1, static_cast<char>('a' + run.cases.size())) + ".nii.gz";
    scored.patient = scored.name;
    for (std::size_t i = 0; i < findings.size(); ++i) findings[i].index = static_cast<std::int64_t>(i);
    scored.findings = std::move(findings);
    run.cases.push_back(std::move(scored));
  }
  return run;
}

double number_in(const Json& object, const char* key) { return *object.find(key)->as_number(); }

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : *object.as_object()) out.push_back(key);
  return out;
}

SlotValue official_slot(const ScoredCases& run, const std::string& name) {
  ScoreRun scored;
  scored.mode = ScoreMode::official;
  scored.resamples = 10;
  add_masks(scored, run.plan, run.cases);
  const PooledRun found = *pooled(scored, Executor(1));
  for (const SlotValue& slot : found.all.slots(Scorer::official)) {
    if (slot.measure->slot == name) return {.value = slot.value};
  }
  ADD_FAILURE() << "no slot " << name;
  return {};
}

void expect_shares(const ScoredCases& run, double precision, double recall, double f1) {
  const Json document = rexrank_json(run.plan, run.cases);
  const Json& summary = *document.find("summary");
  EXPECT_EQ(number_in(summary, "overall_instance_precision"), precision);
  EXPECT_EQ(number_in(summary, "overall_instance_recall"), recall);
  EXPECT_EQ(number_in(summary, "overall_instance_f1"), f1);
  EXPECT_EQ(official_slot(run, "instance_precision").value, precision);
  EXPECT_EQ(official_slot(run, "instance_recall").value, recall);
  EXPECT_EQ(official_slot(run, "instance_f1").value, f1);
}

TEST(Rexrank, gives_the_published_shares_of_223_hits_among_2197_entities) {
  expect_shares(run_of({{finding_with(200, 5000, 1000, 0.3)}, {finding_with(23, 2000, 974, 0.1)}}),
                .030873598227883152, .10150204824761037, .04734607218683652);
}

TEST(Rexrank, gives_the_published_shares_of_343_hits_among_700_entities) {
  expect_shares(run_of({{finding_with(343, 2167, 357, 0.3)}}), .13665338645418326, .49, .21370716510903429);
}

TEST(Rexrank, means_dice_by_case_and_by_finding_apart) {
  const ScoredCases run =
      run_of({{finding_with(1, 0, 0, 1)},
              {finding_with(0, 1, 1, 0), finding_with(0, 1, 1, 0), finding_with(0, 1, 1, 0)}});
  const Json document = rexrank_json(run.plan, run.cases);
  const Json& summary = *document.find("summary");
  EXPECT_EQ(number_in(summary, "mean_global_dice_per_case"), .5);
  EXPECT_EQ(number_in(summary, "mean_global_dice_per_finding"), .25);
  EXPECT_EQ(number_in(summary, "hit_rate"), .25);
  EXPECT_EQ(number_in(summary, "mean_findings_per_case"), 2);
  EXPECT_EQ(official_slot(run, "dice_per_case").value, .5);
  EXPECT_EQ(official_slot(run, "dice_per_finding").value, .25);
  EXPECT_EQ(official_slot(run, "hit_rate").value, .25);
}

TEST(Rexrank, has_the_keys_of_the_published_scorer) {
  const ScoredCases run = run_of({{finding_with(1, 1, 1, 0.4)}});
  const Json document = rexrank_json(run.plan, run.cases);
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(document), (Keys{"summary", "cases"}));
  EXPECT_EQ(keys(*document.find("summary")),
            (Keys{"params", "total_cases", "total_findings", "total_hits", "total_misses", "hit_rate",
                  "total_tp", "total_fp", "total_fn", "total_gt_instances", "total_pred_instances",
                  "overall_instance_precision", "overall_instance_recall", "overall_instance_f1",
                  "mean_global_dice_per_finding", "mean_global_dice_per_case",
                  "mean_matched_dice_per_finding", "mean_findings_per_case"}));
  EXPECT_EQ(
      document.find("summary")->find("params")->compact(),
      R"({"global_only":false,"global_hit_thr":0.1,"match_dice_thr":0.2,"min_size":10,"cc_connectivity":2})");
  const Json& scored = document.find("cases")->as_array()->front();
  EXPECT_EQ(keys(scored), (Keys{"file", "findings", "case_stats"}));
  EXPECT_EQ(
      scored.find("findings")->find("finding_0")->compact(),
      R"({"global_dice":0.4,"global_hit":true,"tp":1,"fp":1,"fn":1,"instance_precision":0.5,)"
      R"("instance_recall":0.5,"instance_f1":0.5,"mean_matched_dice":0.5,)"
      R"("matched_instances":[{"gt_id":1,"pred_id":1,"dice":0.5}],"unmatched_gt":[1],"unmatched_pred":[1],)"
      R"("num_gt_instances":2,"num_pred_instances":2})");
  EXPECT_EQ(keys(*scored.find("case_stats")),
            (Keys{"tp", "fp", "fn", "gt_instances", "pred_instances", "mean_global_dice", "mean_matched_dice",
                  "instance_precision", "instance_recall", "instance_f1", "hits", "misses", "hit_rate",
                  "finding_global_dice_list", "matched_dice_list"}));
}

TEST(Rexrank, drops_what_needs_instances_in_global_only_mode) {
  ScoredCases run = run_of({{FindingScore{.official = {Score(0.4), Score(1)}}}}, true);
  const Json document = rexrank_json(run.plan, run.cases);
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys(*document.find("summary")),
            (Keys{"params", "total_cases", "total_findings", "total_hits", "total_misses", "hit_rate",
                  "mean_global_dice_per_finding", "mean_global_dice_per_case", "mean_findings_per_case"}));
  const Json& scored = document.find("cases")->as_array()->front();
  EXPECT_EQ(scored.find("findings")->find("finding_0")->compact(),
            R"({"global_dice":0.4,"global_hit":true})");
  EXPECT_EQ(keys(*scored.find("case_stats")),
            (Keys{"mean_global_dice", "hits", "misses", "hit_rate", "finding_global_dice_list"}));
}

TEST(Rexrank, lists_a_missing_prediction_and_leaves_it_out_of_the_means) {
  ScoredCases run = run_of({{finding_with(1, 0, 0, 1)}, {finding_with(0, 0, 1, 0)}});
  run.cases[1].official_status = CaseStatus::missing;
  const Json document = rexrank_json(run.plan, run.cases);
  EXPECT_EQ(document.find("cases")->as_array()->back().compact(),
            R"({"file":"caseb.nii.gz","error":"missing_prediction"})");
  EXPECT_EQ(number_in(*document.find("summary"), "total_cases"), 1);
  EXPECT_EQ(number_in(*document.find("summary"), "mean_global_dice_per_case"), 1);
}

TEST(Rexrank, is_zero_with_precision_one_when_nothing_was_scored) {
  ScoredCases run = run_of({{FindingScore{}}});
  run.cases[0].official_status = CaseStatus::missing;
  const Json document = rexrank_json(run.plan, run.cases);
  EXPECT_EQ(number_in(*document.find("summary"), "mean_global_dice_per_case"), 0);
  EXPECT_EQ(number_in(*document.find("summary"), "overall_instance_precision"), 1);
  EXPECT_FALSE(official_slot(run, "instance_precision").value);
}

TEST(Rexrank, is_null_when_its_dice_was_not_asked_for) {
  ScoredCases run = run_of({});
  ASSERT_TRUE(select_metrics(run.plan, {"hit"}).ok());
  EXPECT_TRUE(rexrank_json(run.plan, run.cases).is_null());
}

}  // namespace
}  // namespace fiducial
