#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fiducial/chat/http_client.h"

namespace fiducial {

// How long an endpoint wishes to be left alone: Retry-After as seconds or as a date of any of HTTP's three
// forms, retry-after-ms, the reset of a rate of which nothing remains (x-ratelimit-*, anthropic-ratelimit-*),
// or the retryDelay of a throttled reply of Gemini. Nothing where it has no such wish.
std::optional<std::chrono::milliseconds> wished_pause(const HttpReply& reply, std::int64_t unix_seconds);

// "1s", "6m0s", "120ms", "1h2m3.5s"; plain digits are seconds.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// Seconds since 1970 of a date as HTTP writes it ("Sun, 06 Nov 1994 08:49:37 GMT" and the two older forms) or
// as RFC 3339 does ("1994-11-06T08:49:37Z").
std::optional<std::int64_t> parse_date(std::string_view text);

}  // namespace fiducial
