// Scoring in millimetres, from files to slots.

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "fiducial/tasks/finding_masks/score_example.h"

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

Json surface_summary(const TaskRequest& request) {
  const Result<ScoreRun> run = score_example(request);
  EXPECT_TRUE(run.ok()) << run.error().text();
  return run.ok() ? summary_of(*run) : Json();
}

class SurfaceScores : public ::testing::Test {
 protected:
  SurfaceScores() {
    example_.add(case_name, {nodule(4)}, mask_file_bytes({nodule(6)}));
    request_ = example_.request(ScoreMode::strict);
    request_.values["metrics"] = {"surface", "distance"};
  }

  ExampleRun example_;
  TaskRequest request_;
};

TEST_F(SurfaceScores, are_undefined_without_volumes) {
  const Json summary = surface_summary(request_);
  for (const char* slot : {"nsd_per_finding", "hd95_per_finding", "distance_f1"}) {
    EXPECT_TRUE(slot_of(summary, "metrics", slot).find("value")->is_null()) << slot;
    EXPECT_EQ(*slot_of(summary, "metrics", slot).find("n_undefined")->as_integer(), 1) << slot;
  }
}

TEST_F(SurfaceScores, take_the_spacing_of_each_axis_from_the_ct) {
  request_.values["volumes"] = {example_.path("volumes").string()};
  write_volume(example_.path("volumes"), Affine::scaling({0.75, 0.5, 2.5}, {-100, 20, 3}));
  const Json summary = surface_summary(request_);
  EXPECT_DOUBLE_EQ(*slot_of(summary, "metrics", "hd_per_finding").find("value")->as_number(), 1.5);
  EXPECT_EQ(*slot_of(summary, "metrics", "distance_f1").find("value")->as_number(), 1);
  EXPECT_EQ(*slot_of(summary, "metrics", "nsd_per_finding").find("metric")->as_string(), "nsd_surfel");
}

TEST_F(SurfaceScores, never_improve_when_a_prediction_is_emptied_or_deleted) {
  request_.values["volumes"] = {example_.path("volumes").string()};
  write_volume(example_.path("volumes"), Affine::scaling({0.75, 0.5, 2.5}, {-100, 20, 3}));
  const auto value = [this](const char* slot) {
    return *slot_of(surface_summary(request_), "metrics", slot).find("value")->as_number();
  };
  EXPECT_EQ(value("hd95_penalised_per_finding"), value("hd95_per_finding"));
  const Path file = example_.path("predictions") / case_name;
  const Bytes empty = mask_file_bytes({LabelMap(Grid{block, {}})});
  ASSERT_TRUE(write_file(file, ByteView(empty)).ok());
  const double diagonal = std::hypot(20 * 0.75, 16 * 0.5, 12 * 2.5);
  EXPECT_DOUBLE_EQ(value("hd95_penalised_per_finding"), diagonal);
  std::filesystem::remove(file);
  EXPECT_DOUBLE_EQ(value("hd95_penalised_per_finding"), diagonal);
  EXPECT_DOUBLE_EQ(value("assd_penalised_per_finding"), diagonal);
  EXPECT_TRUE(slot_of(surface_summary(request_), "metrics", "hd95_per_finding").find("value")->is_null());
}

TEST_F(SurfaceScores, refuse_a_folder_without_a_ct_of_the_split) {
  request_.values["volumes"] = {example_.path("data").string()};
  const Result<ScoreRun> run = score_example(request_);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::invalid_data);
}

TEST_F(SurfaceScores, never_take_the_spacing_of_a_header_that_says_nothing) {
  request_.values["volumes"] = {example_.path("volumes").string()};
  write_volume(example_.path("volumes"), Affine::identity());
  EXPECT_TRUE(slot_of(surface_summary(request_), "metrics", "hd_per_finding").find("value")->is_null());
}

TEST_F(SurfaceScores, depend_on_the_tolerance_asked_for) {
  request_.values["volumes"] = {example_.path("volumes").string()};
  write_volume(example_.path("volumes"), Affine::scaling({0.75, 0.5, 2.5}, {-100, 20, 3}));
  request_.values["tolerance-mm"] = {"1.5"};
  const Json summary = surface_summary(request_);
  EXPECT_EQ(*slot_of(summary, "metrics", "nsd_per_finding").find("value")->as_number(), 1);
  EXPECT_EQ(*slot_of(summary, "metrics", "nsd_per_finding").find("metric")->as_string(),
            "nsd_surfel_tol1_5mm");
}

TEST(IgnoredRegionsOfARun, are_read_for_all_findings_from_a_mask_of_three_axes) {
  ExampleRun example;
  const LabelMap extra = Drawing(block).box({4, 4, 4}, {4, 4, 4}).box({12, 10, 4}, {4, 4, 4}).map();
  example.add(case_name, {nodule(4)}, mask_file_bytes({extra}));
  TaskRequest request = example.request(ScoreMode::strict);
  EXPECT_EQ(*slot_of(surface_summary(request), "metrics", "instance_precision").find("value")->as_number(),
            0.5);
  request.values["ignore"] = {example.path("ignored").string()};
  std::filesystem::create_directories(example.path("ignored"));
  const Bytes regions = mask_file_bytes({Drawing(block).box({11, 9, 3}, {6, 6, 6}).map()});
  ASSERT_TRUE(write_file(example.path("ignored") / case_name, ByteView(regions)).ok());
  const Json summary = surface_summary(request);
  EXPECT_EQ(*slot_of(summary, "metrics", "instance_precision").find("value")->as_number(), 1);
  EXPECT_EQ(*slot_of(summary, "metrics", "instance_precision").find("metric")->as_string(),
            "instance_precision_entity18_ignore");
}

TEST(IgnoredRegionsOfARun, are_refused_in_another_shape) {
  ExampleRun example;
  example.add(case_name, {nodule(4)}, mask_file_bytes({nodule(4)}));
  TaskRequest request = example.request(ScoreMode::strict);
  request.values["ignore"] = {example.path("ignored").string()};
  std::filesystem::create_directories(example.path("ignored"));
  const Bytes regions = mask_file_bytes({LabelMap(Grid{{5, 5, 5}, {}})});
  ASSERT_TRUE(write_file(example.path("ignored") / case_name, ByteView(regions)).ok());
  const Result<ScoreRun> run = score_example(request);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::invalid_data);
}

}  // namespace
}  // namespace fiducial
