#include "fiducial/base/interruption.h"

#include <atomic>
#include <csignal>

namespace fiducial {

namespace {

std::atomic<bool> stop_wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free state");

void on_signal(int number) {
  stop_wanted.store(true);
  std::signal(number, SIG_DFL);
}

}  // namespace

void install_stop_signals() {
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
}

bool stop_requested() { return stop_wanted.load(); }

void request_stop(bool wanted) { stop_wanted.store(wanted); }

}  // namespace fiducial
