#include "fiducial/base/error.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(ErrorCode, maps_to_the_documented_exit_statuses) {
  EXPECT_EQ(exit_status(ErrorCode::too_many_failures), 1);
  EXPECT_EQ(exit_status(ErrorCode::bad_usage), 2);
  EXPECT_EQ(exit_status(ErrorCode::invalid_data), 3);
  EXPECT_EQ(exit_status(ErrorCode::unfinished), 4);
  EXPECT_EQ(exit_status(ErrorCode::integrity), 5);
  EXPECT_EQ(exit_status(ErrorCode::refused), 6);
  EXPECT_EQ(exit_status(ErrorCode::remote), 7);
  EXPECT_EQ(exit_status(ErrorCode::unavailable), 8);
  EXPECT_EQ(exit_status(ErrorCode::internal), 70);
  EXPECT_EQ(exit_status(ErrorCode::io), 74);
  EXPECT_EQ(exit_status(ErrorCode::interrupted), 75);
}

TEST(ErrorCode, has_a_stable_name) {
  EXPECT_EQ(to_string(ErrorCode::too_many_failures), "too_many_failures");
  EXPECT_EQ(to_string(ErrorCode::invalid_data), "invalid_data");
  EXPECT_EQ(to_string(ErrorCode::interrupted), "interrupted");
}

TEST(Place, is_empty_text_when_nothing_is_known) { EXPECT_EQ(Place{}.text(), ""); }

TEST(Place, lists_what_is_known_in_order) {
  EXPECT_EQ((Place{.path = "a.json", .byte = 40, .line = 3, .pointer = "/test/0"}.text()),
            "a.json, line 3, byte 40, at /test/0");
  EXPECT_EQ(Place{.byte = 0}.text(), "byte 0");
}

TEST(Error, reads_as_place_then_message_then_contexts_innermost_first) {
  const Error error = Error(ErrorCode::invalid_data, "bad magic", Place{.path = "a.nii", .byte = 344})
                          .context("reading the reference")
                          .context("scoring case 1");
  EXPECT_EQ(error.text(), "a.nii, byte 344: bad magic; while reading the reference; while scoring case 1");
}

TEST(Error, is_only_its_message_when_nothing_else_is_known) { EXPECT_EQ(bad_usage("no").text(), "no"); }

TEST(Error, takes_the_file_of_the_deepest_level_that_names_one) {
  const Error error = invalid_data("bad").in_file("inner.nii").in_file("outer.zip");
  EXPECT_EQ(error.place().path, "inner.nii");
}

TEST(Error, carries_the_code_of_the_function_that_makes_it) {
  EXPECT_EQ(invalid_data("x").code(), ErrorCode::invalid_data);
  EXPECT_EQ(bad_usage("x").code(), ErrorCode::bad_usage);
}

TEST(AssertDeathTest, ends_the_process_with_status_70_and_names_the_condition) {
  EXPECT_EXIT(FIDUCIAL_ASSERT(1 == 2), testing::ExitedWithCode(70), "internal error: .*1 == 2");
}

}  // namespace
}  // namespace fiducial
