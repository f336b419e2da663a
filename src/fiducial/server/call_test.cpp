#include "fiducial/server/call.h"

#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/inflate.h"
#include "fiducial/server/api_parameters.h"
#include "fiducial/server/open_api.h"
#include "fiducial/server/routes.h"
#include "fiducial/server/slugs.h"

namespace fiducial {
namespace {

std::string refusal(std::string_view query) {
  const auto parsed = Query::parse(query, "q limit where*");
  return parsed.ok() ? "taken" : parsed.error().message();
}

TEST(Query, takes_what_a_route_declares) {
  const Query query = Query::parse("q=a+b%26c&where=x%3D1&where=y&limit=5", "q limit where*").value();
  EXPECT_EQ(query.text("q"), "a b&c");
  EXPECT_EQ(query.all("where"), (std::vector<std::string>{"x=1", "y"}));
  EXPECT_EQ(query.integer("limit", 1), 5);
  EXPECT_EQ(query.integer("after", 7), 7);
}

TEST(Query, refuses_what_a_route_does_not_declare) {
  EXPECT_EQ(refusal(""), "taken");
  EXPECT_EQ(refusal("&&q"), "taken");
  EXPECT_NE(refusal("limits=1").find("did you mean limit?"), std::string::npos);
  EXPECT_NE(refusal("q=1&q=2").find("stands twice"), std::string::npos);
  EXPECT_NE(refusal("limit=ten").find("a whole number"), std::string::npos);
  EXPECT_NE(refusal("limit=0").find("at least 1"), std::string::npos);
  EXPECT_NE(refusal("where*=x"), "taken");
  EXPECT_NE(refusal("q=%ff"), "taken");
  EXPECT_NE(refusal("q=%00"), "taken");
  EXPECT_NE(refusal("q=%zz"), "taken");
}

TEST(FinishedReply, gives_nothing_that_the_client_has) {
  http::Request request;
  const http::Reply first = finished_reply(request, http::Reply::text("hello"));
  const auto tag = std::ranges::find(first.fields, "ETag", &http::Field::name)->value;
  request.fields = {{"If-None-Match", "\"other\", " + tag}};
  EXPECT_EQ(finished_reply(request, http::Reply::text("hello")).status, 304);
  EXPECT_EQ(finished_reply(request, http::Reply::text("hallo")).status, 200);
}

TEST(FinishedReply, deflates_for_clients_that_take_it_where_it_pays) {
  http::Request request;
  request.fields = {{"Accept-Encoding", "br, gzip"}};
  const std::string large(5000, 'a');
  EXPECT_LT(std::get<std::string>(finished_reply(request, http::Reply::text(large)).body).size(), 200U);
  EXPECT_EQ(std::get<std::string>(finished_reply(request, http::Reply::text("a")).body), "a");
}

TEST(Routes, are_each_described_with_all_their_parameters) {
  const Json document = open_api_document();
  std::set<std::string_view> names;
  for (const ApiRoute& route : all_api_routes()) {
    EXPECT_TRUE(names.insert(route.name).second) << route.name;
    const Json* operation = document.find("paths")->find(route.pattern)->find("get");
    ASSERT_NE(operation, nullptr) << route.pattern;
    const auto parts = std::ranges::count(route.pattern, '{');
    EXPECT_GE(operation->find("parameters")->as_array()->size(), static_cast<std::size_t>(parts));
  }
}

TEST(Slugs, are_unique_and_fit_into_an_address) {
  EXPECT_EQ(slug_of("a b/ü.nii"), "a-b-.nii");
  EXPECT_EQ(slug_of(".."), "unnamed");
  EXPECT_EQ(unique_slugs({"x/good", "y/good", "z/weak"}, false),
            (std::vector<std::string>{"x-good", "y-good", "weak"}));
  EXPECT_EQ(unique_slugs({"rex", "curated/rex", "curated/rex"}, true),
            (std::vector<std::string>{"rex", "curated-rex", "curated-rex-2"}));
}

}  // namespace
}  // namespace fiducial
