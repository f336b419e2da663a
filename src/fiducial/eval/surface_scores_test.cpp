// Scoring in millimetres, from files to slots.

#include <filesystem>

#include <gtest/gtest.h>

#include "fiducial/eval/plan_file.h"
#include "fiducial/eval/score_example.h"

namespace fiducial {
namespace {

constexpr Extent block{20, 16, 12};
constexpr const char* case_name = "train_1_a_1.nii.gz";

LabelMap nodule(std::int64_t x) { return Drawing(block).box({x, 4, 4}, {4, 4, 4}).map(); }

// The CT's place below a folder of volumes, as CT-RATE has it.
Path volume_path(const Path& volumes) {
  return volumes / "dataset/train_fixed/train_1/train_1_a" / case_name;
}

void write_volume(const Path& volumes, const Affine& affine) {
  NiftiHeader header = example_header({block.x, block.y, block.z}, VoxelType::int16);
  header.set_affine(affine);
  const Path path = volume_path(volumes);
  std::filesystem::create_directories(path.parent_path());
  const Bytes bytes = example_file(header, std::vector<double>(static_cast<std::size_t>(block.count())));
  ASSERT_TRUE(write_file(path, ByteView(bytes)).ok());
}

Json summary_of(const ScoreRequest& request) {
  SilentProgress progress;
  const Result<ScoredRun> run = score_run(request, Executor(1), progress);
  EXPECT_TRUE(run.ok()) << run.error().text();
  return run.ok() ? summary_json(*run, Digest{}) : Json();
}

class SurfaceScores : public ::testing::Test {
 protected:
  SurfaceScores() {
    example_.add(case_name, {nodule(4)}, mask_file_bytes({nodule(6)}));
    request_ = example_.request(ScoreMode::strict);
    request_.metrics = {"surface", "distance"};
  }

  ExampleRun example_;
  ScoreRequest request_;
};

TEST_F(SurfaceScores, are_undefined_without_volumes) {
  const Json summary = summary_of(request_);
  for (const char* slot : {"nsd_per_finding", "hd95_per_finding", "distance_f1"}) {
    EXPECT_TRUE(slot_of(summary, "metrics", slot).find("value")->is_null()) << slot;
    EXPECT_EQ(*slot_of(summary, "metrics", slot).find("n_undefined")->as_integer(), 1) << slot;
  }
}

TEST_F(SurfaceScores, take_the_spacing_of_each_axis_from_the_ct) {
  request_.volumes = example_.path("volumes");
  write_volume(*request_.volumes, Affine::scaling({0.75, 0.5, 2.5}, {-100, 20, 3}));
  const Json summary = summary_of(request_);
  EXPECT_DOUBLE_EQ(*slot_of(summary, "metrics", "hd_per_finding").find("value")->as_number(), 1.5);
  EXPECT_EQ(*slot_of(summary, "metrics", "distance_f1").find("value")->as_number(), 1);
  EXPECT_EQ(*slot_of(summary, "metrics", "nsd_per_finding").find("metric")->as_string(), "nsd_surfel");
}

TEST_F(SurfaceScores, never_take_the_spacing_of_a_header_that_says_nothing) {
  request_.volumes = example_.path("volumes");
  write_volume(*request_.volumes, Affine::identity());
  EXPECT_TRUE(slot_of(summary_of(request_), "metrics", "hd_per_finding").find("value")->is_null());
}

TEST_F(SurfaceScores, depend_on_the_tolerance_asked_for) {
  request_.volumes = example_.path("volumes");
  write_volume(*request_.volumes, Affine::scaling({0.75, 0.5, 2.5}, {-100, 20, 3}));
  request_.tolerance_mm = 1.5;
  const Json summary = summary_of(request_);
  EXPECT_EQ(*slot_of(summary, "metrics", "nsd_per_finding").find("value")->as_number(), 1);
  EXPECT_EQ(*slot_of(summary, "metrics", "nsd_per_finding").find("metric")->as_string(),
            "nsd_surfel_tol1_5mm");
}

TEST(IgnoredRegionsOfARun, are_read_for_all_findings_from_a_mask_of_three_axes) {
  ExampleRun example;
  const LabelMap extra = Drawing(block).box({4, 4, 4}, {4, 4, 4}).box({12, 10, 4}, {4, 4, 4}).map();
  example.add(case_name, {nodule(4)}, mask_file_bytes({extra}));
  ScoreRequest request = example.request(ScoreMode::strict);
  EXPECT_EQ(*slot_of(summary_of(request), "metrics", "instance_precision").find("value")->as_number(), 0.5);
  request.ignored = example.path("ignored");
  std::filesystem::create_directories(*request.ignored);
  const Bytes regions = mask_file_bytes({Drawing(block).box({11, 9, 3}, {6, 6, 6}).map()});
  ASSERT_TRUE(write_file(*request.ignored / case_name, ByteView(regions)).ok());
  const Json summary = summary_of(request);
  EXPECT_EQ(*slot_of(summary, "metrics", "instance_precision").find("value")->as_number(), 1);
  EXPECT_EQ(*slot_of(summary, "metrics", "instance_precision").find("metric")->as_string(),
            "instance_precision_strict18_ignore");
}

TEST(IgnoredRegionsOfARun, are_refused_in_another_shape) {
  ExampleRun example;
  example.add(case_name, {nodule(4)}, mask_file_bytes({nodule(4)}));
  ScoreRequest request = example.request(ScoreMode::strict);
  request.ignored = example.path("ignored");
  std::filesystem::create_directories(*request.ignored);
  const Bytes regions = mask_file_bytes({LabelMap(Grid{{5, 5, 5}, {}})});
  ASSERT_TRUE(write_file(*request.ignored / case_name, ByteView(regions)).ok());
  SilentProgress progress;
  const Result<ScoredRun> run = score_run(request, Executor(1), progress);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::invalid_data);
}

TEST(SurfacePlan, is_read_back_as_it_was_written) {
  ScorePlan plan{.benchmark = "b", .split = "test", .mode = ScoreMode::strict, .system = "s"};
  plan.tolerance_mm = 2.5;
  plan.ignores_regions = true;
  ASSERT_TRUE(select_metrics(plan, {"surface", "instances"}).ok());
  const Result<ScorePlan> back = parse_score_plan(to_json(plan));
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(to_json(*back).compact(), to_json(plan).compact());
}

}  // namespace
}  // namespace fiducial
