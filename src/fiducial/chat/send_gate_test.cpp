#include "fiducial/chat/send_gate.h"

#include <gtest/gtest.h>

#include "fiducial/chat/endpoint.h"

namespace fiducial {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const SendGate::Time start{seconds(1000)};

TEST(SendGate, begins_with_four_and_doubles_until_it_is_throttled) {
  SendGate gate({.most_in_flight = 256}, start);
  EXPECT_EQ(gate.may_send(start, 3, 1), start);
  EXPECT_EQ(gate.may_send(start, 4, 1), SendGate::never);
  for (int i = 0; i < 4; ++i) gate.answered(start, start, false);
  EXPECT_EQ(gate.limit(), 8);
  for (int i = 0; i < 8; ++i) gate.answered(start, start, false);
  EXPECT_EQ(gate.limit(), 16);
  gate.answered(start, start + seconds(1), true);
  EXPECT_EQ(gate.limit(), 8);
  for (int i = 0; i < 8; ++i) gate.answered(start, start, false);
  EXPECT_EQ(gate.limit(), 9);
}

TEST(SendGate, grows_no_further_than_it_may) {
  SendGate gate({.most_in_flight = 6}, start);
  for (int i = 0; i < 100; ++i) gate.answered(start, start, false);
  EXPECT_EQ(gate.limit(), 6);
}

TEST(SendGate, halves_once_for_all_that_were_sent_before) {
  SendGate gate({.most_in_flight = 64}, start);
  for (int i = 0; i < 1000; ++i) gate.answered(start, start, false);
  const int before = gate.limit();
  for (int i = 0; i < 20; ++i) gate.answered(start + seconds(1), start + seconds(2), true);
  EXPECT_EQ(gate.limit(), before / 2);
  for (int i = 0; i < 20; ++i) gate.answered(start + seconds(3 + i), start + seconds(4 + i), true);
  EXPECT_EQ(gate.limit(), 1);
}

TEST(SendGate, spreads_requests_over_the_minute) {
  SendGate gate({.most_in_flight = 10, .requests_per_minute = 30}, start);
  EXPECT_EQ(gate.may_send(start, 0, 1), start);
  gate.sent(1);
  EXPECT_EQ(gate.may_send(start, 0, 1), start + seconds(2));
  EXPECT_LE(gate.may_send(start + seconds(2), 0, 1), start + seconds(2));
}

TEST(SendGate, lets_a_request_larger_than_the_limit_go_when_the_bucket_is_full) {
  SendGate gate({.most_in_flight = 10, .requests_per_minute = 0, .tokens_per_minute = 600}, start);
  EXPECT_EQ(gate.may_send(start, 0, 1'000'000), start);
  gate.sent(160);
  EXPECT_EQ(gate.may_send(start, 0, 1), start + milliseconds(6100));
}

TEST(SendGate, waits_as_long_as_it_is_told) {
  SendGate gate({}, start);
  gate.pause_until(start + seconds(9));
  EXPECT_EQ(gate.may_send(start, 0, 1), start + seconds(9));
}

TEST(Endpoints, are_this_machine_or_secure) {
  EXPECT_TRUE(Endpoint::parse("http://127.0.0.1:8000/v1/")->is_loopback());
  EXPECT_EQ(Endpoint::parse("http://127.0.0.1:8000/v1/")->base(), "http://127.0.0.1:8000/v1");
  EXPECT_TRUE(Endpoint::parse("http://[::1]:8000/v1")->is_loopback());
  EXPECT_TRUE(Endpoint::parse("http://LocalHost/v1")->is_loopback());
  EXPECT_FALSE(Endpoint::parse("https://127.0.0.1.example.org/v1")->is_loopback());
  EXPECT_EQ(Endpoint::parse("http://example.org/v1").error().code(), ErrorCode::refused);
  for (const char* bad :
       {"ftp://a/v1", "a", "https://user:pw@a/v1", "https://a/v1?key=1", "https:///v1", "https://a:b/v1",
        "https://a:99999/v1", "https://a b/v1", "http://[::1/v1", "http://127.0.0.1:8000/v1/chat/completions",
        "https://api.anthropic.com/v1/messages"})
    EXPECT_EQ(Endpoint::parse(bad).error().code(), ErrorCode::bad_usage) << bad;
}

TEST(Endpoints, need_leave_for_every_other_host) {
  const Endpoint remote = *Endpoint::parse("https://Example.org/v1");
  EXPECT_EQ(allow_egress(remote, {}).error().code(), ErrorCode::refused);
  EXPECT_EQ(allow_egress(remote, {"org"}).error().code(), ErrorCode::refused);
  EXPECT_TRUE(allow_egress(remote, {"example.ORG"}).ok());
}

}  // namespace
}  // namespace fiducial
