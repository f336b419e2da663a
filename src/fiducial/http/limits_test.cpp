#include "fiducial/http/limits.h"

#include <gtest/gtest.h>

#include "fiducial/http/connection_counts.h"

namespace fiducial::http {
namespace {

TEST(Limits, are_told_in_one_line) {
  EXPECT_EQ(
      Limits{}.text(),
      "header 16 KiB, 100 fields, 10 s; target 4 KiB; body 1024 KiB, idle 15 s, at least 16 KiB/s after 10 "
      "s; "
      "reply idle 30 s; 512 connections, 64 an address; keep-alive 60 s or 1000 requests; files in pieces of "
      "256 KiB; stop within 5 s");
}

TEST(ConnectionCounts, count_a_network_of_ipv6_as_one_address) {
  EXPECT_EQ(address_key("2001:db8::1"), address_key("2001:db8::2"));
  EXPECT_NE(address_key("2001:db8::1"), address_key("2001:db8:0:1::1"));
  EXPECT_NE(address_key("10.0.0.1"), address_key("10.0.0.2"));
}

TEST(ConnectionCounts, welcome_again_who_left) {
  using Answer = ConnectionCounts::Answer;
  ConnectionCounts counts({.connections = 2, .connections_per_address = 1});
  EXPECT_EQ(counts.enter("a"), Answer::welcome);
  EXPECT_EQ(counts.enter("a"), Answer::too_many_of_address);
  EXPECT_EQ(counts.enter("b"), Answer::welcome);
  EXPECT_EQ(counts.enter("c"), Answer::too_many);
  counts.leave("a");
  EXPECT_EQ(counts.enter("c"), Answer::welcome);
  EXPECT_EQ(counts.total(), 2U);
}

}  // namespace
}  // namespace fiducial::http
