#include "fiducial/base/executor.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "fiducial/base/interruption.h"

namespace fiducial {

namespace {

class Work {
 public:
  Work(std::int64_t count, const std::function<Outcome(std::int64_t)>& work) : count_(count), work_(work) {}

  void run_until_empty() {
    for (;;) {
      const std::int64_t index = next_.fetch_add(1);
      if (index >= count_ || index > first_failure_.load()) return;
      Outcome outcome = call_given_up() ? Outcome(given_up()) : work_(index);
      if (!outcome.ok()) record(index, std::move(outcome).error());
    }
  }

  // The same on a thread of its own, where an exception must not leave.
  void run_as_thread(const CallScope::Flag* call) noexcept {
    const CallScope scope(call);
    try {
      run_until_empty();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      thrown_ = std::current_exception();
      first_failure_.store(-1);
    }
  }

  Outcome outcome() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (failure_) return *std::move(failure_);
    return done();
  }

 private:
  void record(std::int64_t index, Error error) {
    const std::lock_guard lock(mutex_);
    if (index >= first_failure_.load()) return;
    first_failure_.store(index);
    failure_ = std::move(error);
  }

  std::int64_t count_;
  const std::function<Outcome(std::int64_t)>& work_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> first_failure_{std::numeric_limits<std::int64_t>::max()};
  std::mutex mutex_;
  std::optional<Error> failure_;
  std::exception_ptr thrown_;  // such as running out of memory
};

}  // namespace

Executor::Executor(int threads)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

Outcome Executor::for_each(std::int64_t count, const std::function<Outcome(std::int64_t)>& work) const {
  Work shared(count, work);
  const std::int64_t helpers = std::min<std::int64_t>(threads_, count) - 1;
  if (helpers <= 0) {
    shared.run_until_empty();
    return shared.outcome();
  }
  // Plain threads that end with the call: a process forked from this one lacks nothing.
  {
    std::vector<std::jthread> threads;
    const CallScope::Flag* const call = CallScope::current();
    for (std::int64_t i = 0; i < helpers; ++i) threads.emplace_back([&] { shared.run_as_thread(call); });
    shared.run_as_thread(call);
  }
  return shared.outcome();
}

}  // namespace fiducial
