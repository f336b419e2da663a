#include "fiducial/eval/task/shard.h"

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

TEST(Shard, reads_an_index_and_a_count) { EXPECT_EQ(*Shard::parse("3/16"), (Shard{3, 16})); }

TEST(Shard, refuses_what_is_no_part_of_a_whole) {
  for (const char* text : {"", "1", "/", "1/", "/2", "2/2", "-1/2", "0/0", "a/b", "1/2/3", "0/1000001"}) {
    EXPECT_EQ(Shard::parse(text).error().code(), ErrorCode::bad_usage) << text;
  }
}

TEST(Shard, gives_every_case_to_exactly_one_part) {
  for (const int count : {1, 3, 16}) {
    for (int i = 0; i < 200; ++i) {
      const std::string name = "train_" + decimal(i) + "_a_1.nii.gz";
      int holders = 0;
      for (int index = 0; index < count; ++index) holders += Shard{index, count}.holds(name) ? 1 : 0;
      EXPECT_EQ(holders, 1);
    }
  }
}

TEST(Shard, spreads_cases_about_evenly) {
  int held = 0;
  for (int i = 0; i < 1600; ++i) held += Shard{5, 16}.holds("train_" + decimal(i) + "_a_1.nii.gz") ? 1 : 0;
  EXPECT_NEAR(held, 100, 40);
}

TEST(Shard, never_changes_its_mind) {
  // The first eight bytes of SHA-256 of the name, modulo 16, as Python's hashlib gives them.
  EXPECT_TRUE((Shard{10, 16}).holds("a"));
  EXPECT_TRUE((Shard{10, 16}).holds("train_1_a_1.nii.gz"));
  EXPECT_TRUE((Shard{2, 4}).holds("train_1_a_1.nii.gz"));
}

}  // namespace
}  // namespace fiducial
