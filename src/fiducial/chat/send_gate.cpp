#include "fiducial/chat/send_gate.h"

#include <algorithm>
#include <cmath>

namespace fiducial {

namespace {

constexpr int first_limit = 4;

SendGate::Time::duration as_duration(double seconds) {
  return std::chrono::duration_cast<SendGate::Time::duration>(std::chrono::duration<double>(seconds));
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

}  // namespace fiducial
