#include "fiducial/datasets/dataset_terms.h"

#include <gtest/gtest.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

std::string stricter_licence(const std::string& one, const std::string& other) {
  return text_at(stricter_terms(Json::object({{"licence", one}}), Json::object({{"licence", other}})),
                 "licence");
}

TEST(DatasetTerms, take_the_licence_with_more_conditions) {
  EXPECT_EQ(stricter_licence("CC-BY-4.0", "CC-BY-NC-SA-4.0"), "CC-BY-NC-SA-4.0");
  EXPECT_EQ(stricter_licence("CC-BY-NC-SA-4.0", "CC0-1.0"), "CC-BY-NC-SA-4.0");
  EXPECT_EQ(stricter_licence("cc-by-4.0", "CC-BY-4.0"), "cc-by-4.0");
}

TEST(DatasetTerms, keep_both_licences_where_neither_has_all_conditions_of_the_other) {
  EXPECT_EQ(stricter_licence("CC-BY-NC-4.0", "CC-BY-SA-4.0"), "CC-BY-NC-4.0 AND CC-BY-SA-4.0");
  EXPECT_EQ(stricter_licence("CC-BY-3.0", "CC-BY-4.0"), "CC-BY-3.0 AND CC-BY-4.0");
  EXPECT_EQ(stricter_licence("MIT", "CC-BY-4.0"), "MIT AND CC-BY-4.0");
  EXPECT_EQ(stricter_licence("CC-BY-NC-4.0 AND CC-BY-SA-4.0", "CC-BY-NC-SA-4.0"), "CC-BY-NC-SA-4.0");
}

TEST(DatasetTerms, are_the_same_after_a_second_time) {
  const Json one =
      Json::object({{"licence", "A"}, {"source", "x"}, {"private_splits", Json::array({"test"})}});
  const Json both =
      stricter_terms(one, Json::object({{"licence", "B"}, {"source", "y"}, {"egress", "forbidden"}}));
  EXPECT_EQ(stricter_terms(both, one).compact(), both.compact());
  EXPECT_EQ(text_at(both, "egress"), "forbidden");
  EXPECT_TRUE(is_private_split(both, "test"));
}

TEST(DatasetTerms, are_refused_where_something_is_missing) {
  const TemporaryFolder folder;
  const Result<Json> none = terms_to_pass_on(folder.path(), {.licence = "x", .source = "y"}, true);
  EXPECT_EQ(none.error().code(), ErrorCode::refused);
  EXPECT_TRUE(
      terms_to_pass_on(folder.path(), {.licence = "x", .source = "y", .allowed_use = "z"}, true).ok());
}

TEST(DatasetTerms, of_data_that_may_not_leave_still_go_to_what_stays) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "terms.json",
                         R"({"egress": "forbidden", "licence": "x", "source": "y", "allowed_use": "z"})")
                  .ok());
  EXPECT_EQ(terms_to_pass_on(folder.path(), {}, true).error().code(), ErrorCode::refused);
  EXPECT_EQ(text_at(*terms_to_pass_on(folder.path(), {}, false), "egress"), "forbidden");
}

}  // namespace
}  // namespace fiducial
