#include "fiducial/base/result.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return invalid_data("odd");
  return value / 2;
}

Result<int> quarter(int value) {
  FIDUCIAL_TRY(const int once, half(value));
  FIDUCIAL_TRY(const int twice, half(once));
  return twice;
}

Outcome check_even(int value) {
  FIDUCIAL_TRY_DONE(half(value));
  return done();
}

TEST(Result, holds_a_value) {
  const Result<int> result = half(4);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 2);
  EXPECT_EQ(*result, 2);
}

TEST(Result, holds_an_error) {
  const Result<int> result = half(3);
  ASSERT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().text(), "odd");
}

TEST(Result, gives_up_a_move_only_value) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, reaches_members_of_its_value_by_arrow) {
  Result<std::string> result = std::string("abc");
  EXPECT_EQ(result->size(), 3U);
}

TEST(Result, adds_context_and_file_to_an_error_only) {
  EXPECT_EQ(half(3).context("halving").in_file("a").error().text(), "a: odd; while halving");
  EXPECT_EQ(half(4).context("halving").in_file("a").value(), 2);
}

TEST(Try, declares_the_value_or_returns_the_error) {
  EXPECT_EQ(quarter(8).value(), 2);
  EXPECT_EQ(quarter(6).error().text(), "odd");
  EXPECT_EQ(quarter(3).error().text(), "odd");
}

TEST(TryDone, passes_success_by_and_returns_the_error) {
  EXPECT_TRUE(check_even(2).ok());
  EXPECT_EQ(check_even(3).error().text(), "odd");
}

TEST(ResultDeathTest, asserts_when_the_wrong_side_is_asked_for) {
  EXPECT_EXIT(static_cast<void>(half(3).value()), testing::ExitedWithCode(70), "ok\\(\\)");
  EXPECT_EXIT(static_cast<void>(half(4).error()), testing::ExitedWithCode(70), "!ok\\(\\)");
}

}  // namespace
}  // namespace fiducial
