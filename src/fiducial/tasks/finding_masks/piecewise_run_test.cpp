#include "fiducial/tasks/finding_masks/piecewise_run.h"

#include <gtest/gtest.h>

#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/tasks/finding_masks/score_example.h"

namespace fiducial {
namespace {

constexpr Extent box{16, 12, 10};

LabelMap lesion(std::int64_t x, std::int32_t label = 1) {
  return Drawing(box).box({x, 2, 1}, {4, 5, 3}, label).map();
}

std::vector<LabelMap> reference() { return {lesion(1), lesion(8, 2)}; }
std::vector<LabelMap> prediction() { return {lesion(2), lesion(6, 3)}; }

ExampleRun piecewise_example() {
  ExampleRun out;
  for (const char* name : {"train_1_a_1.nii", "train_2_a_1.nii"}) {
    out.add(name, reference(), mask_file_bytes(prediction()));
  }
  return out;
}

std::unique_ptr<PiecewiseRun> open_run(const ExampleRun& files) {
  const TaskRequest request = files.request();
  const DatasetAdapter* adapter = *find_dataset_adapter(request.dataset);
  std::shared_ptr<const GroundedDataset> dataset = *adapter->open_grounded(request.dataset);
  return *PiecewiseRun::open(std::move(dataset), adapter->id, request.values);
}

Json piecewise_summary(const PiecewiseRun& run) {
  SilentProgress progress;
  return summary_of(*run.scored(Executor(2), progress));
}

TEST(PiecewiseRun, gives_the_numbers_of_the_same_masks_read_from_files) {
  const ExampleRun files = piecewise_example();
  const auto run = open_run(files);
  for (const char* name : {"train_2_a_1.nii", "train_1_a_1.nii"}) {
    for (const std::int64_t finding : {1, 0}) {
      ASSERT_TRUE(run->add(name, finding, prediction()[static_cast<std::size_t>(finding)]).ok());
    }
  }
  EXPECT_EQ(run->complete(), 2);
  const Json from_files = summary_of(*files.score());
  const Json from_memory = piecewise_summary(*run);
  for (const char* part : {"metrics", "official", "counts"}) {
    EXPECT_EQ(from_memory.find(part)->pretty(), from_files.find(part)->pretty()) << part;
  }
}

TEST(PiecewiseRun, tells_missing_cases_from_those_that_lack_a_finding) {
  const ExampleRun files = piecewise_example();
  const auto run = open_run(files);
  ASSERT_TRUE(run->add("train_1_a_1.nii", 1, lesion(1)).ok());
  SilentProgress progress;
  const std::vector<CaseScore> scored = cases_of(*run->scored(Executor(1), progress));
  EXPECT_EQ(scored[0].status, CaseStatus::failed);
  EXPECT_EQ(scored[0].reason, "1 of 2 findings were added");
  EXPECT_EQ(scored[1].status, CaseStatus::missing);
}

TEST(PiecewiseRun, refuses_what_does_not_belong) {
  const ExampleRun files = piecewise_example();
  const auto run = open_run(files);
  const auto refusal = [&run](const char* name, std::int64_t finding, LabelMap labels) {
    const Outcome outcome = run->add(name, finding, std::move(labels));
    return outcome.ok() ? "" : outcome.error().message();
  };
  EXPECT_EQ(refusal("other.nii", 0, lesion(1)), "no case \"other.nii\" in split \"test\"");
  EXPECT_EQ(refusal("train_1_a_1.nii", 2, lesion(1)), "no finding 2 of train_1_a_1.nii: it has 2 findings");
  EXPECT_EQ(refusal("train_1_a_1.nii", -1, lesion(1)), "no finding -1 of train_1_a_1.nii: it has 2 findings");
  EXPECT_EQ(refusal("train_1_a_1.nii", 0, LabelMap(Grid{{3, 3, 3}, {}})),
            "array of 3 x 3 x 3 voxels for finding 0 of train_1_a_1.nii, expected 16 x 12 x 10");
  EXPECT_EQ(refusal("train_1_a_1.nii", 0, lesion(1)), "");
  EXPECT_EQ(refusal("train_1_a_1.nii", 0, lesion(1)), "finding 0 of train_1_a_1.nii was added before");
}

TEST(PiecewiseRun, can_be_looked_at_while_it_grows) {
  const ExampleRun files = piecewise_example();
  const auto run = open_run(files);
  const auto missing_cases = [&run] {
    return *piecewise_summary(*run).find("counts")->find("missing")->as_integer();
  };
  EXPECT_EQ(missing_cases(), 2);
  for (const std::int64_t finding : {0, 1}) ASSERT_TRUE(run->add("train_1_a_1.nii", finding, lesion(1)).ok());
  EXPECT_EQ(missing_cases(), 1);
}

}  // namespace
}  // namespace fiducial
