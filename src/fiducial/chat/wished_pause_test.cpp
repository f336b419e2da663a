#include "fiducial/chat/wished_pause.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

HttpReply with(const char* name, const char* value) {
  HttpReply out;
  out.headers = {{name, value}};
  return out;
}

TEST(WishedPause, is_read_from_every_header) {
  EXPECT_EQ(wished_pause(with("retry-after", "7"), 0), seconds(7));
  EXPECT_EQ(wished_pause(with("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), 784111770), seconds(7));
  EXPECT_EQ(wished_pause(with("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"), 884111770), seconds(0));
  EXPECT_EQ(wished_pause(with("retry-after-ms", "70"), 0), milliseconds(70));
  EXPECT_EQ(wished_pause(with("retry-after", "soon"), 0), std::nullopt);
  EXPECT_EQ(wished_pause(with("retry-after", "-3"), 0), std::nullopt);
  EXPECT_EQ(wished_pause(with("retry-after", "1e99"), 0), seconds(86'400));
  HttpReply reply = with("x-ratelimit-remaining-tokens", "0");
  reply.headers.emplace_back("x-ratelimit-reset-tokens", "1m2.5s");
  EXPECT_EQ(wished_pause(reply, 0), milliseconds(62'500));
  reply.headers[0].second = "1";
  EXPECT_EQ(wished_pause(reply, 0), std::nullopt);
}

TEST(Durations, are_read_with_units) {
  EXPECT_EQ(parse_duration("120ms"), milliseconds(120));
  EXPECT_EQ(parse_duration("6m0s"), seconds(360));
  EXPECT_EQ(parse_duration("2"), seconds(2));
  EXPECT_EQ(parse_duration("1x"), std::nullopt);
  EXPECT_EQ(parse_duration(""), std::nullopt);
}

TEST(WishedPause, is_read_from_the_rates_of_anthropic) {
  HttpReply reply = with("anthropic-ratelimit-input-tokens-remaining", "0");
  reply.headers.emplace_back("anthropic-ratelimit-input-tokens-reset", "1994-11-06T08:49:37Z");
  EXPECT_EQ(wished_pause(reply, 784111770), seconds(7));
  reply.headers[0].second = "9";
  EXPECT_EQ(wished_pause(reply, 784111770), std::nullopt);
}

TEST(WishedPause, is_read_from_the_error_of_gemini) {
  HttpReply reply;
  reply.status = 429;
  reply.body =
      R"({"error":{"code":429,"details":[{"@type":"QuotaFailure"},{"@type":"RetryInfo","retryDelay":"35.5s"}]}})";
  EXPECT_EQ(wished_pause(reply, 0), milliseconds(35'500));
  reply.status = 200;
  EXPECT_EQ(wished_pause(reply, 0), std::nullopt);
}

TEST(Dates, are_read_in_every_form) {
  for (const char* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z", "1994-11-06T08:49:37.125Z"})
    EXPECT_EQ(parse_date(text), 784111777) << text;
  for (const char* text :
       {"", "tomorrow", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        "Sun, 6x Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "1994-13-06T08:49:37Z"})
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
}

}  // namespace
}  // namespace fiducial
