#include "fiducial/base/interruption.h"

#include <csignal>

#include "fiducial/base/unfinished_paths.h"

namespace fiducial {

namespace {

std::atomic<bool> stop_wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free state");

thread_local const CallScope::Flag* current_call = nullptr;

void on_signal(int number) {
  stop_wanted.store(true);
  std::signal(number, clean_up_and_end);
}

}  // namespace

void install_stop_signals() {
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
}

bool stop_requested() { return stop_wanted.load() || call_given_up(); }

void request_stop(bool wanted) { stop_wanted.store(wanted); }

CallScope::CallScope(const Flag* given_up) : outer_(current_call) { current_call = given_up; }

CallScope::~CallScope() { current_call = outer_; }

const CallScope::Flag* CallScope::current() { return current_call; }

bool call_given_up() { return current_call != nullptr && current_call->load(std::memory_order_relaxed); }

Error given_up() { return {ErrorCode::interrupted, "the call was given up"}; }

}  // namespace fiducial
