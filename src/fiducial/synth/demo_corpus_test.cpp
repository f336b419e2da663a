#include "fiducial/synth/demo_corpus.h"

#include <map>

#include <gtest/gtest.h>

#include "fiducial/geometry/orientation.h"
#include "fiducial/image/label_decoder.h"

namespace fiducial {
namespace {

// A folder that is removed at the end of the test.
class DemoCorpus : public testing::Test {
 protected:
  void SetUp() override {
    root_ = Path(testing::TempDir()) /
            (std::string("fiducial_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  static DemoOptions small(std::uint64_t seed) {
    return {.seed = seed, .size = {.train = 1, .val = 1, .test = 1, .extent = {64, 54, 36}}};
  }

  Result<DemoFacts> write(const char* name, const DemoOptions& options, int threads = 2) {
    SilentProgress progress;
    return write_demo(root_ / name, options, Executor(threads), progress);
  }

  std::map<std::string, std::string> contents(const char* name) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ / name)) {
      if (!entry.is_regular_file()) continue;
      files[entry.path().lexically_relative(root_ / name).string()] = *read_text_file(entry.path());
    }
    return files;
  }

  Path root_;
};

LabelStack read_masks(const Path& file) {
  auto stream = NiftiStream::open(file);
  EXPECT_TRUE(stream.ok());
  auto stack = decode_labels(stream.value(), ChannelAxis::first);
  EXPECT_TRUE(stack.ok());
  return std::move(stack).value();
}

TEST_F(DemoCorpus, has_the_same_bytes_on_any_number_of_threads) {
  ASSERT_TRUE(write("one", small(3), 1).ok());
  ASSERT_TRUE(write("five", small(3), 5).ok());
  EXPECT_EQ(contents("one"), contents("five"));
}

TEST_F(DemoCorpus, is_another_one_with_another_seed) {
  ASSERT_TRUE(write("a", small(3)).ok());
  ASSERT_TRUE(write("b", small(4)).ok());
  EXPECT_NE(contents("a").at("rexgroundingct/dataset.json"), contents("b").at("rexgroundingct/dataset.json"));
}

TEST_F(DemoCorpus, describes_every_mask_truly) {
  ASSERT_TRUE(write("demo", small(5)).ok());
  const Path dataset = root_ / "demo/rexgroundingct";
  const auto index = parse_json(*read_text_file(dataset / "dataset.json"));
  ASSERT_TRUE(index.ok());
  int cases = 0;
  for (const char* split : {"train", "val", "test"}) {
    for (const Json& entry : *index->find(split)->as_array()) {
      ++cases;
      const LabelStack masks = read_masks(dataset / "segmentations" / *entry.find("name")->as_string());
      EXPECT_TRUE(masks.grid.affine.is_identity());
      EXPECT_EQ(masks.channels.size(), entry.find("findings")->as_object()->size());
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(*(*entry.find("shape")->as_array())[axis].as_integer(),
                  masks.grid.extent[static_cast<int>(axis)]);
      }
      for (std::size_t i = 0; i < masks.channels.size(); ++i) {
        const std::string key(1, static_cast<char>('0' + i));
        EXPECT_EQ(*entry.find("pixels")->find(key)->as_integer(), masks.channels[i].count());
        const auto labels = masks.channels[i].labels();
        EXPECT_EQ(*entry.find("entity_counts")->find(key)->as_integer(),
                  static_cast<std::int64_t>(labels.size()));
        EXPECT_EQ(labels.back(), static_cast<std::int32_t>(labels.size())) << "ids have no gaps";
        EXPECT_NE(entry.find("categories")->find(key), nullptr);
      }
    }
  }
  EXPECT_EQ(cases, 3);
}

TEST_F(DemoCorpus, puts_scans_organs_and_predictions_where_the_layout_says) {
  ASSERT_TRUE(write("demo", small(6)).ok());
  const auto files = contents("demo");
  int volumes = 0;
  int predictions = 0;
  for (const auto& [name, bytes] : files) {
    volumes += name.starts_with("rexgroundingct/volumes/dataset/train_fixed/train_") ? 1 : 0;
    predictions += name.starts_with("systems/rexgroundingct/") ? 1 : 0;
  }
  EXPECT_EQ(volumes, 3);
  EXPECT_EQ(predictions, 6);
  EXPECT_TRUE(files.contains("rexgroundingct/organs/labels.json"));
  const auto plan = plan_cases(6, small(6).size).front();
  const Path dataset = root_ / "demo/rexgroundingct";
  const auto scan = read_nifti(dataset / "volumes/dataset/train_fixed" / plan.patient_name() /
                               plan.study_name() / plan.file_name());
  const auto organs = read_nifti(dataset / "organs" / plan.file_name());
  ASSERT_TRUE(scan.ok());
  ASSERT_TRUE(organs.ok());
  EXPECT_EQ(scan->header().type, VoxelType::int16);
  EXPECT_FALSE(scan->header().scales());
  EXPECT_EQ(OrientationCode::of(scan->header().affine).text(), "LPS");
  EXPECT_TRUE(same_grid(scan->header().grid(), organs->header().grid()));
}

TEST_F(DemoCorpus, writes_a_report_for_every_study) {
  ASSERT_TRUE(write("demo", small(7)).ok());
  const std::string reports = contents("demo").at("rexgroundingct/reports.csv");
  EXPECT_TRUE(
      reports.starts_with("VolumeName,ClinicalInformation_EN,Technique_EN,Findings_EN,Impressions_EN\n"));
  for (const DemoCasePlan& plan : plan_cases(7, small(7).size)) {
    EXPECT_NE(reports.find("\n" + plan.study_name() + ","), std::string::npos);
  }
}

TEST_F(DemoCorpus, replaces_an_earlier_corpus_only_when_asked) {
  ASSERT_TRUE(write("demo", small(1)).ok());
  const auto again = write("demo", small(2));
  ASSERT_FALSE(again.ok());
  DemoOptions replacing = small(2);
  replacing.overwrite = true;
  ASSERT_TRUE(write("demo", replacing).ok());
  const auto marker = parse_json(contents("demo").at(demo_marker));
  ASSERT_TRUE(marker.ok());
  EXPECT_EQ(*marker->find("schema")->as_string(), "fiducial.demo/1");
  EXPECT_EQ(*marker->find("seed")->as_integer(), 2);
}

TEST_F(DemoCorpus, refuses_volumes_too_small_to_show_a_chest) {
  DemoOptions tiny = small(1);
  tiny.size.extent = {8, 8, 4};
  const auto facts = write("demo", tiny);
  ASSERT_FALSE(facts.ok());
  EXPECT_EQ(facts.error().code(), ErrorCode::bad_usage);
  EXPECT_FALSE(std::filesystem::exists(root_ / "demo"));
}

}  // namespace
}  // namespace fiducial
