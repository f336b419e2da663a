#include "fiducial/chat/send_gate.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

using Milliseconds = std::chrono::milliseconds;
constexpr int first_limit = 4;

SendGate::Time::duration as_duration(double seconds) {
  return std::chrono::duration_cast<SendGate::Time::duration>(std::chrono::duration<double>(seconds));
}

// "Sun, 06 Nov 1994 08:49:37 GMT" as seconds since 1970.
std::optional<std::int64_t> parse_http_date(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  constexpr std::size_t length = std::string_view("Sun, 06 Nov 1994 08:49:37 GMT").size();
  if (text.size() != length || !text.ends_with(" GMT")) return std::nullopt;
  const auto number = [text](std::size_t at, std::size_t digits) {
    return parse_unsigned(text.substr(at, digits)).value_or(9999);
  };
  const std::size_t month = months.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  std::tm parts{};
  parts.tm_mday = static_cast<int>(number(5, 2));
  parts.tm_mon = static_cast<int>(month / 3);
  parts.tm_year = static_cast<int>(number(12, 4)) - 1900;
  parts.tm_hour = static_cast<int>(number(17, 2));
  parts.tm_min = static_cast<int>(number(20, 2));
  parts.tm_sec = static_cast<int>(number(23, 2));
  if (parts.tm_mday > 31 || parts.tm_year > 1000 || parts.tm_hour > 23 || parts.tm_min > 59 ||
      parts.tm_sec > 60)
    return std::nullopt;
  return static_cast<std::int64_t>(timegm(&parts));
}

std::optional<Milliseconds> seconds_text(std::string_view text) {
  const auto seconds = parse_double(text);
  constexpr double longest = 86'400;
  if (!seconds || !(*seconds >= 0)) return std::nullopt;
  return Milliseconds(static_cast<std::int64_t>(std::min(*seconds, longest) * 1000));
}

}  // namespace

void SendGate::Bucket::fill(Time now) {
  const double seconds = std::chrono::duration<double>(now - filled_at).count();
  level = std::min(most, level + std::max(0.0, seconds) * per_second);
  filled_at = now;
}

SendGate::Time SendGate::Bucket::ready_for(double amount, Time now) const {
  if (per_second <= 0) return now;
  // What is larger than the bucket goes when that is full, and leaves a debt.
  const double wanted = std::min(amount, most);
  return level >= wanted ? now : now + as_duration((wanted - level) / per_second);
}

SendGate::SendGate(const GateLimits& limits, Time now)
    : most_(limits.most_in_flight),
      limit_(std::min(first_limit, limits.most_in_flight)),
      halved_at_(now),
      paused_until_(now) {
  const auto requests = static_cast<double>(limits.requests_per_minute);
  const double burst = std::max(1.0, requests / 60);  // a second's worth
  requests_ = {.per_second = requests / 60, .most = burst, .level = burst, .filled_at = now};
  const auto tokens = static_cast<double>(limits.tokens_per_minute);
  tokens_ = {.per_second = tokens / 60, .most = tokens / 6, .level = tokens / 6, .filled_at = now};
}

SendGate::Time SendGate::may_send(Time now, std::size_t in_flight, std::int64_t tokens) {
  if (in_flight >= static_cast<std::size_t>(limit_)) return never;
  requests_.fill(now);
  tokens_.fill(now);
  return std::max(
      {paused_until_, requests_.ready_for(1, now), tokens_.ready_for(static_cast<double>(tokens), now)});
}

void SendGate::sent(std::int64_t tokens) {
  if (requests_.per_second > 0) requests_.level -= 1;
  if (tokens_.per_second > 0) tokens_.level -= static_cast<double>(tokens);
}

void SendGate::answered(Time sent_at, Time now, bool is_throttled) {
  if (is_throttled) {
    if (sent_at < halved_at_) return;  // it went before the limit was halved for its neighbours
    limit_ = std::max(1, limit_ / 2);
    halved_at_ = now;
    was_throttled_ = true;
    unthrottled_ = 0;
    return;
  }
  if (++unthrottled_ < limit_) return;
  limit_ = std::min(most_, was_throttled_ ? limit_ + 1 : limit_ * 2);
  unthrottled_ = 0;
}

void SendGate::pause_until(Time until) { paused_until_ = std::max(paused_until_, until); }

std::optional<Milliseconds> parse_duration(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return std::nullopt;
  if (const auto plain = seconds_text(text)) return plain;
  double total_ms = 0;
  while (!text.empty()) {
    std::size_t digits = 0;
    while (digits < text.size() && (is_digit(text[digits]) || text[digits] == '.')) ++digits;
    const auto value = parse_double(text.substr(0, digits));
    text.remove_prefix(digits);
    std::size_t letters = 0;
    while (letters < text.size() && is_letter(text[letters])) ++letters;
    const std::string_view unit = text.substr(0, letters);
    text.remove_prefix(letters);
    const double scale = unit == "ms" ? 1 : unit == "s" ? 1e3 : unit == "m" ? 6e4 : unit == "h" ? 3.6e6 : 0;
    if (!value || scale == 0) return std::nullopt;
    total_ms += *value * scale;
  }
  constexpr double a_day = 8.64e7;
  return Milliseconds(static_cast<std::int64_t>(std::min(total_ms, a_day)));
}

std::optional<Milliseconds> wished_pause(const HttpReply& reply, std::int64_t unix_seconds) {
  if (const auto exact = parse_unsigned(reply.header("retry-after-ms")))
    return Milliseconds(std::min<std::uint64_t>(*exact, 86'400'000));
  const std::string after = reply.header("retry-after");
  if (const auto seconds = seconds_text(after)) return seconds;
  if (const auto date = parse_http_date(after))
    return Milliseconds(std::clamp<std::int64_t>(*date - unix_seconds, 0, 86'400) * 1000);
  for (const char* of : {"requests", "tokens"}) {
    const std::string name = std::string("x-ratelimit-remaining-") + of;
    if (reply.header(name) != "0") continue;
    if (const auto reset = parse_duration(reply.header(std::string("x-ratelimit-reset-") + of))) return reset;
  }
  return std::nullopt;
}

}  // namespace fiducial
