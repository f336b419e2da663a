#include "fiducial/tasks/controls/control_score.h"

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/metrics/control_contracts.h"

namespace fiducial {
namespace {

constexpr std::int64_t any_voxel = 1;

// A finding of 10 voxels with a paraphrase and a swapped side, and two prompts that must be empty.
ControlScore example_score() {
  ControlScore out{.name = "a.nii.gz", .status = "scored"};
  out.prompts = {{.kind = ControlKind::finding, .finding = 0, .voxels = 10, .dice = 0.8, .same = 1},
                 {.kind = ControlKind::paraphrase, .finding = 0, .voxels = 9, .dice = 0.75, .same = 0.9},
                 {.kind = ControlKind::swapped_side, .finding = 0, .voxels = 4, .dice = 0.2, .same = 0.25},
                 {.kind = ControlKind::denied, .finding = 3, .voxels = 0},
                 {.kind = ControlKind::other_patient, .finding = 4, .voxels = 3}};
  return out;
}

TEST(ControlValues, tell_movement_by_meaning_from_movement_by_words) {
  const ControlScore score = example_score();
  const ControlValues values(score, any_voxel);
  EXPECT_DOUBLE_EQ(values.movement(1), 1 - 0.9);
  EXPECT_DOUBLE_EQ(values.movement(2), 0.75);
  EXPECT_DOUBLE_EQ(*values.listening(0), 0.75 - (1 - 0.9));
  EXPECT_DOUBLE_EQ(values.grounded_listening(2), 0.8 - 0.2);
  EXPECT_DOUBLE_EQ(values.consistency(1), 0.9);
  EXPECT_DOUBLE_EQ(values.dice(0), 0.8);
}

TEST(ControlValues, count_answers_to_prompts_that_must_be_empty) {
  const ControlScore score = example_score();
  EXPECT_DOUBLE_EQ(*ControlValues(score, any_voxel).alarms(), 1);
  EXPECT_DOUBLE_EQ(*ControlValues(score, any_voxel).discrimination(), 0.5);
  EXPECT_DOUBLE_EQ(*ControlValues(score, 4).alarms(), 0);
  EXPECT_DOUBLE_EQ(*ControlValues(score, 4).discrimination(), 1);
  EXPECT_DOUBLE_EQ(*ControlValues(score, 11).discrimination(), 0);
}

TEST(ControlValues, give_a_system_that_answers_nothing_nothing_but_its_silence) {
  ControlScore score = example_score();
  for (PromptScore& each : score.prompts) each.voxels = 0, each.dice = 0, each.same = 0;
  const ControlValues values(score, any_voxel);
  EXPECT_DOUBLE_EQ(*values.listening(0), 0);
  EXPECT_DOUBLE_EQ(values.grounded_listening(2), 0);
  EXPECT_DOUBLE_EQ(values.consistency(1), 0);
  EXPECT_DOUBLE_EQ(*values.alarms(), 0);
  EXPECT_DOUBLE_EQ(*values.discrimination(), 0);
}

TEST(ControlValues, do_not_let_a_mask_move_that_was_not_there) {
  ControlScore score = example_score();
  score.prompts[0] = {.kind = ControlKind::finding, .finding = 0};
  score.prompts[1].same = score.prompts[2].same = 0;
  EXPECT_DOUBLE_EQ(ControlValues(score, any_voxel).movement(2), 0);
  EXPECT_DOUBLE_EQ(*ControlValues(score, any_voxel).listening(0), 0);
}

TEST(ControlValues, give_a_case_without_a_usable_prediction_what_the_contracts_say) {
  for (const char* status : {"missing", "failed"}) {
    ControlScore score = example_score();
    score.status = status;
    const ControlValues values(score, any_voxel);
    const auto missing = [](const char* id) { return *control_contract(id).empty.missing_value; };
    EXPECT_EQ(*values.listening(0), missing("listening"));
    EXPECT_EQ(values.grounded_listening(2), missing("grounded_listening"));
    EXPECT_EQ(values.movement(2), missing("swap_movement"));
    EXPECT_EQ(values.movement(1), missing("paraphrase_movement"));
    EXPECT_EQ(values.consistency(1), missing("paraphrase_consistency"));
    EXPECT_EQ(values.alarm(3), missing("false_alarm_rate"));
    EXPECT_EQ(*values.discrimination(), missing("discrimination"));
    EXPECT_EQ(*values.alarms(), 2);
  }
}

TEST(ControlValues, are_undefined_where_there_is_no_such_prompt) {
  ControlScore score = example_score();
  score.prompts.resize(2);
  const ControlValues values(score, any_voxel);
  EXPECT_FALSE(values.listening(0));
  EXPECT_FALSE(values.alarms());
  EXPECT_FALSE(values.discrimination());
}

TEST(ControlValues, lie_in_the_range_of_their_contracts) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    ControlScore score = example_score();
    for (PromptScore& each : score.prompts) {
      each.voxels = static_cast<std::int64_t>(random.below(3));
      each.dice = each.voxels > 0 ? random.uniform() : 0;
      each.same = each.voxels > 0 ? random.uniform() : 0;
    }
    const ControlValues values(score, any_voxel);
    for (const double each : {*values.listening(0), values.grounded_listening(2), *values.discrimination()}) {
      EXPECT_GE(each, -1);
      EXPECT_LE(each, 1);
    }
    EXPECT_GE(values.movement(1), 0);
    EXPECT_LE(values.movement(1), 1);
  }
}

TEST(ControlScore, comes_back_from_json_as_it_was) {
  ControlScore score = example_score();
  score.prediction_digest = Digest{};
  score.axes = AxesWish{"x reversed", 0.125, 0.75};
  score.notes = {{score.name, "header", "odd", Remark::Kind::note}};
  const Json kept = to_json(score);
  const Result<ControlScore> back = parse_control_score(kept);
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(to_json(*back).compact(), kept.compact());
}

TEST(ControlScore, refuses_a_prompt_of_no_finding) {
  Json kept = to_json(example_score());
  const std::string text = kept.compact();
  const std::size_t at = text.find("\"finding\":4");
  ASSERT_NE(at, std::string::npos);
  const Result<Json> spoilt = parse_json(text.substr(0, at) + "\"finding\":5" + text.substr(at + 11));
  ASSERT_TRUE(spoilt.ok());
  EXPECT_FALSE(parse_control_score(*spoilt).ok());
}

TEST(ControlContracts, promise_nothing_for_predicting_less) {
  for (const MetricContract& contract : control_contracts()) {
    EXPECT_FALSE(contract.less_is_never_better) << contract.id;
    EXPECT_FALSE(contract.empty.missing.empty()) << contract.id;
    EXPECT_FALSE(contract.definition.empty()) << contract.id;
  }
}

}  // namespace
}  // namespace fiducial
