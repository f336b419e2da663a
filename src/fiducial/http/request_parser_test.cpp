#include "fiducial/http/request_parser.h"

#include <gtest/gtest.h>

#include "fiducial/http/hostile_requests_example.h"

namespace fiducial::http {
namespace {

// Feeds bytes in pieces of a size, as a connection does; returns what was not taken.
std::string feed_all(RequestParser& parser, std::string_view bytes, std::size_t piece) {
  std::string held;
  while (!parser.is_done() && !parser.refusal()) {
    const std::size_t used = parser.feed(held);
    held.erase(0, used);
    if (parser.has_head() && !parser.is_done()) {
      parser.accept_body(Limits{}.body_bytes);
      if (parser.refusal()) break;
      held.erase(0, parser.feed(held));
    }
    if (parser.is_done() || parser.refusal() || bytes.empty()) break;
    held += bytes.substr(0, piece);
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  parser.finish();
  return held + std::string(bytes);
}

const std::string chunked_example =
    "POST /cases/7?x=1 HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\nX-Two: b\r\n\r\n"
    "4\r\nabcd\r\n3;note=1\r\nefg\r\n0\r\nX-Trailer: t\r\n\r\nGET / HTTP/1.1\r\n";

TEST(RequestParser, reads_a_request_and_leaves_what_follows_it) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{17}, chunked_example.size()}) {
    RequestParser parser{Limits{}};
    EXPECT_EQ(feed_all(parser, chunked_example, piece), "GET / HTTP/1.1\r\n") << piece;
    ASSERT_TRUE(parser.is_done()) << piece;
    EXPECT_EQ(parser.request().method, "POST");
    EXPECT_EQ(parser.request().path, "/cases/7");
    EXPECT_EQ(parser.request().body, "abcdefg");
    EXPECT_EQ(parser.request().fields.size(), 3U);  // a trailer is nobody's
    EXPECT_TRUE(parser.keep_alive());
  }
}

TEST(RequestParser, hands_the_body_to_who_takes_it) {
  RequestParser parser{Limits{}};
  const std::string bytes = "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
  std::string taken;
  const std::size_t head = parser.feed(bytes);
  parser.accept_body(5, [&](std::string_view piece) {
    taken += piece;
    return done();
  });
  parser.feed(std::string_view(bytes).substr(head));
  EXPECT_TRUE(parser.is_done());
  EXPECT_EQ(taken, "hello");
  EXPECT_EQ(parser.request().body, "");
}

TEST(RequestParser, says_when_a_body_cannot_be_stored) {
  RequestParser parser{Limits{}};
  const std::string bytes = "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
  const std::size_t head = parser.feed(bytes);
  parser.accept_body(5, [](std::string_view) -> Outcome { return Error(ErrorCode::io, "disk full"); });
  parser.feed(std::string_view(bytes).substr(head));
  ASSERT_TRUE(parser.refusal());
  EXPECT_EQ(parser.refusal()->status, 500);
}

TEST(RequestParser, refuses_hostile_requests_however_they_are_cut) {
  for (const HostileRequest& hostile : hostile_requests()) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, hostile.bytes.size()}) {
      RequestParser parser{Limits{}};
      feed_all(parser, hostile.bytes, piece);
      ASSERT_TRUE(parser.refusal()) << hostile.name << " by " << piece;
      EXPECT_EQ(parser.refusal()->status, hostile.status)
          << hostile.name << " by " << piece << ": " << parser.refusal()->reason;
    }
  }
}

TEST(RequestParser, refuses_a_request_that_breaks_off) {
  for (std::size_t size = 0; size < chunked_example.find("GET /"); ++size) {
    RequestParser parser{Limits{}};
    feed_all(parser, chunked_example.substr(0, size), 1000);
    ASSERT_TRUE(parser.refusal()) << size;
    EXPECT_EQ(parser.refusal()->status, 400) << size;
  }
}

TEST(RequestParser, keeps_a_connection_as_the_version_says) {
  const auto keeps = [](const std::string& line, const std::string& field) {
    RequestParser parser{Limits{}};
    parser.feed(line + "\r\nHost: a\r\n" + field + "\r\n");
    return parser.keep_alive();
  };
  EXPECT_TRUE(keeps("GET / HTTP/1.1", ""));
  EXPECT_FALSE(keeps("GET / HTTP/1.1", "Connection: close\r\n"));
  EXPECT_FALSE(keeps("GET / HTTP/1.0", ""));
  EXPECT_TRUE(keeps("GET / HTTP/1.0", "Connection: keep-alive\r\n"));
}

}  // namespace
}  // namespace fiducial::http
