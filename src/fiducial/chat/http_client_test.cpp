#include "fiducial/chat/http_client.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string hidden(std::string body, const std::string& secret) {
  hide_secret(body, secret);
  return body;
}

TEST(Secrets, are_taken_out_wherever_they_stand) {
  const std::string key = "sk-1/2\"34567";
  EXPECT_EQ(hidden("a sk-1/2\"34567 b sk-1/2\"34567", key), "a [the key] b [the key]");
  EXPECT_EQ(hidden(R"({"a":"sk-1/2\"34567"})", key), R"({"a":"[the key]"})");
  EXPECT_EQ(hidden(R"({"a":"sk-1\/2\"34567"})", key), R"({"a":"[the key]"})");
  EXPECT_EQ(hidden("sk-1/2", key), "sk-1/2");
}

TEST(Secrets, are_no_common_words) {
  EXPECT_EQ(hidden("an empty token", "token"), "an empty token");
  EXPECT_EQ(hidden("nothing", ""), "nothing");
}

}  // namespace
}  // namespace fiducial
