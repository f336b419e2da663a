#include "fiducial/datasets/grounded_dataset.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {
namespace {

class ChooseSplit : public testing::Test {
 protected:
  Result<std::string> chosen(std::string_view document, const std::optional<std::string>& wanted = {}) {
    EXPECT_TRUE(write_file(folder_ / "dataset.json", document).ok());
    const Result<const DatasetAdapter*> adapter = find_dataset_adapter(folder_.path());
    EXPECT_TRUE(adapter.ok());
    const auto dataset = (*adapter)->open_grounded(folder_.path());
    return choose_split(**dataset, wanted);
  }

  TemporaryFolder folder_;
};

TEST_F(ChooseSplit, takes_test_then_val_then_validation) {
  EXPECT_EQ(*chosen(R"({"train": [], "val": [], "test": []})"), "test");
  EXPECT_EQ(*chosen(R"({"train": [], "validation": [], "val": []})"), "val");
  EXPECT_EQ(*chosen(R"({"train": [], "validation": []})"), "validation");
}

TEST_F(ChooseSplit, takes_the_wanted_one) {
  EXPECT_EQ(*chosen(R"({"train": [], "test": []})", "train"), "train");
}

TEST_F(ChooseSplit, refuses_an_unknown_split_and_lists_what_there_is) {
  const Result<std::string> split = chosen(R"({"train": [], "test": []})", "tset");
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().code(), ErrorCode::bad_usage);
  EXPECT_EQ(split.error().text(), (folder_ / "dataset.json").string() +
                                      ": no split \"tset\"; there is train, test; did you mean test?");
}

TEST_F(ChooseSplit, asks_for_a_choice_where_no_usual_split_is_there) {
  EXPECT_EQ(
      chosen(R"({"train": [], "pilot": []})").error().text(),
      (folder_ / "dataset.json").string() + ": no split \"test\"; choose one with --split: train, pilot");
}

}  // namespace
}  // namespace fiducial
