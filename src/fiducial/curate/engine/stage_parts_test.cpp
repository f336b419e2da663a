#include "fiducial/curate/engine/stage_parts.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string sum_of(const char* a, const char* b) {
  const Result<Json> out = summed(parse_json(a).value(), parse_json(b).value());
  return out.ok() ? out->compact() : out.error().message();
}

TEST(StageParts, add_numbers_members_and_items) {
  EXPECT_EQ(sum_of("[1,2]", "[3,4]"), "[4,6]");
  EXPECT_EQ(sum_of(R"({"a":1,"c":{"x":1}})", R"({"b":2,"c":{"x":2,"y":3}})"),
            R"({"a":1,"c":{"x":3,"y":3},"b":2})");
  EXPECT_EQ(sum_of("null", "[3]"), "[3]");
}

TEST(StageParts, take_the_last_word_where_nothing_is_to_be_added) {
  EXPECT_EQ(sum_of(R"({"fingerprint":"a","items":1})", R"({"fingerprint":"b","items":2})"),
            R"({"fingerprint":"b","items":3})");
  EXPECT_EQ(sum_of(R"({"prompt":"labels/1"})", R"({"prompt":""})"), R"({"prompt":"labels/1"})");
}

TEST(StageParts, refuse_to_add_what_is_no_sum) {
  EXPECT_EQ(sum_of("true", "false"), "what two parts know cannot be added: boolean and boolean");
  EXPECT_EQ(sum_of("[1]", "[1,2]"), "two parts list other numbers of sums");
}

}  // namespace
}  // namespace fiducial
