#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace fiducial {

// How fast an endpoint may be asked; 0 means no limit.
struct GateLimits {
  int most_in_flight = 16;
  std::int64_t requests_per_minute = 0;
  std::int64_t tokens_per_minute = 0;
};

// Decides when the next request may go. The number in flight begins at 4 and doubles with every round of
// replies until one is throttled; then it halves, and grows by one a round. Rates are buckets. Knows no
// clock: times are handed in.
class SendGate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  SendGate(const GateLimits& limits, Time now);

  // When a request of so many tokens may go: now or earlier means at once, never while too many are in
  // flight.
  static constexpr Time never = Time::max();
  Time may_send(Time now, std::size_t in_flight, std::int64_t tokens);

  void sent(std::int64_t tokens);
  void answered(Time sent_at, Time now, bool is_throttled);
  void pause_until(Time until);
  int limit() const { return limit_; }

 private:
  struct Bucket {
    double per_second = 0;  // 0: bottomless
    double most = 0;
    double level = 0;
    Time filled_at;

    void fill(Time now);
    Time ready_for(double amount, Time now) const;
  };

  int most_;
  int limit_;
  int unthrottled_ = 0;  // replies since the limit last changed
  bool was_throttled_ = false;
  Time halved_at_;
  Time paused_until_;
  Bucket requests_;
  Bucket tokens_;
};

}  // namespace fiducial
