#include "fiducial/http/request.h"

#include <gtest/gtest.h>

namespace fiducial::http {
namespace {

Request with_target(std::string_view target) {
  Request request;
  EXPECT_TRUE(set_target(request, target).ok()) << target;
  return request;
}

TEST(Target, is_split_into_a_decoded_path_and_a_query) {
  const Request request = with_target("/cases/a%20b?window=lung&size=3");
  EXPECT_EQ(request.path, "/cases/a b");
  EXPECT_EQ(request.query, "window=lung&size=3");
}

TEST(Target, refuses_what_is_no_path_of_this_server) {
  Request request;
  for (const char* target : {"", "*", "cases", "http://elsewhere/", "/a/../b", "/..", "/a/./b", "/%2e%2e/b",
                             "/a%2f..%2fb", "/a%00", "/a%", "/a%4", "/a%zz", "/a#b", "/a b", "/%ff"}) {
    EXPECT_FALSE(set_target(request, target).ok()) << target;
  }
}

TEST(Target, keeps_dots_that_lead_nowhere) { EXPECT_EQ(with_target("/a/..b/c.../d").path, "/a/..b/c.../d"); }

TEST(Parameter, is_decoded) {
  const Request request = with_target("/?text=a+b%26c&flag&text2=d");
  EXPECT_EQ(request.parameter("text").value(), "a b&c");
  EXPECT_EQ(request.parameter("flag").value(), "");
  EXPECT_EQ(request.parameter("none").value(), std::nullopt);
}

TEST(Parameter, may_not_stand_twice) { EXPECT_FALSE(with_target("/?a=1&a=2").parameter("a").ok()); }

TEST(Request, finds_fields_in_any_case) {
  const Request request{.fields = {{"Content-Type", "text/plain"}}};
  ASSERT_NE(request.find("content-type"), nullptr);
  EXPECT_EQ(*request.find("CONTENT-TYPE"), "text/plain");
  EXPECT_EQ(request.find("Content-Typ"), nullptr);
}

}  // namespace
}  // namespace fiducial::http
