#include <gtest/gtest.h>

#include "fiducial/tasks/finding_masks/score_example.h"

namespace fiducial {
namespace {

// Two entities that touch and one in two parts, of 12 voxels each.
LabelMap tangled() {
  return {Grid{{40, 5, 5}, Affine::identity()},
          {LabelRun{6, 0, 12, 1}, LabelRun{6, 12, 24, 2}, LabelRun{18, 0, 6, 3}, LabelRun{18, 10, 16, 3}}};
}

Json tangled_summary(const LabelMap& prediction) {
  ExampleRun example;
  example.add("a_1.nii", {tangled()}, mask_file_bytes({prediction}));
  TaskRequest request = example.request(ScoreMode::both);
  request.values["metrics"] = {"dice", "instances", "panoptic"};
  Result<ScoreRun> run = score_example(request);
  EXPECT_TRUE(run.ok()) << run.error().text();
  return summary_of(*run);
}

double number_of(const Json& summary, const char* slot, const char* field, const char* part = "metrics") {
  const Json* found = slot_of(summary, part, slot).find(field);
  return found == nullptr ? -1 : found->as_number().value_or(-1);
}

TEST(Ceiling, stands_beside_what_the_reference_itself_does_not_reach) {
  const Json summary = tangled_summary(tangled());
  // One component for two entities and two of 6 voxels, which are too small: one match of three entities.
  EXPECT_DOUBLE_EQ(number_of(summary, "component_f1", "value"), 0.5);
  EXPECT_DOUBLE_EQ(number_of(summary, "component_f1", "ceiling"), 0.5);
  EXPECT_DOUBLE_EQ(number_of(summary, "instance_f1", "ceiling", "official"), 0.5);
  EXPECT_DOUBLE_EQ(number_of(summary, "pq_greedy_iou50_per_finding", "ceiling"),
                   number_of(summary, "pq_greedy_iou50_per_finding", "value"));
}

TEST(Ceiling, is_absent_where_the_reference_gets_all_there_is) {
  const Json summary = tangled_summary(tangled());
  for (const char* slot : {"dice_per_finding", "instance_precision", "instance_recall", "instance_f1"}) {
    EXPECT_EQ(number_of(summary, slot, "value"), 1) << slot;
    EXPECT_EQ(slot_of(summary, "metrics", slot).find("ceiling"), nullptr) << slot;
  }
}

TEST(Ceiling, does_not_depend_on_the_prediction) {
  const LabelMap nothing(tangled().grid());
  EXPECT_EQ(number_of(tangled_summary(nothing), "component_f1", "value"), 0);
  EXPECT_DOUBLE_EQ(number_of(tangled_summary(nothing), "component_f1", "ceiling"), 0.5);
}

}  // namespace
}  // namespace fiducial
