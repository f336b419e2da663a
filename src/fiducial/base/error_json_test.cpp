#include "fiducial/base/error_json.h"

#include <cerrno>

#include <gtest/gtest.h>

#include "fiducial/base/system_error.h"

namespace fiducial {
namespace {

TEST(ErrorJson, says_code_reason_place_and_what_was_being_done) {
  const Error error = Error(ErrorCode::invalid_data, "cut off", Place{.path = "a.nii", .byte = 40})
                          .because(ErrorReason::path_not_file)
                          .context("reading the mask");
  EXPECT_EQ(error_json(error, "; did you mean b.nii?").compact(),
            R"({"schema":"fiducial.error/1","code":"invalid_data","status":3,"reason":"path_not_file",)"
            R"("message":"cut off","place":{"path":"a.nii","byte":40},"contexts":["reading the mask"],)"
            R"("text":"a.nii, byte 40: cut off; while reading the mask; did you mean b.nii?"})");
}

TEST(ErrorJson, is_json_whatever_bytes_a_name_has) {
  const Json told = error_json(path_missing("no such file \x1b", "a\xff.nii"));
  const Result<Json> back = parse_json(told.compact());
  ASSERT_TRUE(back.ok()) << back.error().text();
  EXPECT_EQ(*back->find("place")->find("path")->as_string(), "a\\xff.nii");
}

TEST(ErrorReason, of_a_path_follows_from_the_number_of_the_system) {
  EXPECT_EQ(system_error("open", ENOENT, "a").reason(), ErrorReason::path_missing);
  EXPECT_EQ(system_error("open", ENOTDIR, "a").reason(), ErrorReason::other);
  EXPECT_EQ(system_error("open", EACCES, "a").reason(), ErrorReason::other);
}

TEST(ErrorReason, stays_when_an_error_is_moved_elsewhere) {
  const Error moved = path_missing("no such file", "a").at(Place{.path = "b", .line = 3});
  EXPECT_EQ(moved.reason(), ErrorReason::path_missing);
  EXPECT_EQ(moved.text(), "b, line 3: no such file");
  EXPECT_EQ(Error(moved).context("looking").in_file("c").reason(), ErrorReason::path_missing);
}

}  // namespace
}  // namespace fiducial
