#include "fiducial/http/router.h"

#include <gtest/gtest.h>

namespace fiducial::http {
namespace {

Router example() {
  Router router;
  const auto add = [&](std::string method, std::string pattern) {
    router.add({.method = method, .pattern = pattern, .handler = [pattern](const Request&) {
                  return Reply::text(pattern);
                }});
  };
  add("GET", "/cases");
  add("GET", "/cases/{case}");
  add("PUT", "/cases/{case}");
  add("GET", "/cases/{case}/slices/{slice}");
  add("GET", "/files/{path...}");
  return router;
}

std::string found(std::string method, std::string path, Request& request) {
  request = Request{.method = std::move(method), .path = std::move(path)};
  const Router router = example();
  const Router::Found found = router.find(request);
  return found.route == nullptr ? std::to_string(found.refusal.status) : found.route->pattern;
}

TEST(Router, names_the_parts_of_a_path) {
  Request request;
  EXPECT_EQ(found("GET", "/cases/12/slices/7", request), "/cases/{case}/slices/{slice}");
  EXPECT_EQ(request.part("case"), "12");
  EXPECT_EQ(request.part("slice"), "7");
  EXPECT_EQ(request.part("other"), "");
}

TEST(Router, gives_what_is_left_of_a_path) {
  Request request;
  EXPECT_EQ(found("GET", "/files/a/b.js", request), "/files/{path...}");
  EXPECT_EQ(request.part("path"), "a/b.js");
}

TEST(Router, does_not_know_other_paths) {
  Request request;
  for (const char* path : {"/", "/case", "/cases/", "/cases/1/", "/cases/1/slices", "/files"}) {
    EXPECT_EQ(found("GET", path, request), "404") << path;
  }
}

TEST(Router, names_the_methods_of_a_path_it_knows) {
  Request request{.method = "DELETE", .path = "/cases/1"};
  const Router router = example();
  const Router::Found found = router.find(request);
  EXPECT_EQ(found.refusal.status, 405);
  EXPECT_EQ(found.refusal.fields.back().value, "GET, HEAD, PUT");
  EXPECT_TRUE(request.parts.empty());
}

TEST(Router, answers_head_where_it_answers_get) {
  Request request;
  EXPECT_EQ(found("HEAD", "/cases", request), "/cases");
}

}  // namespace
}  // namespace fiducial::http
