#include "fiducial/base/executor.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace fiducial {

namespace {

class Work {
 public:
  Work(std::int64_t count, const std::function<Outcome(std::int64_t)>& work) : count_(count), work_(work) {}

  void run_until_empty() {
    for (;;) {
      const std::int64_t index = next_.fetch_add(1);
      if (index >= count_ || index > first_failure_.load()) return;
      Outcome outcome = work_(index);
      if (!outcome.ok()) record(index, std::move(outcome).error());
    }
  }

  Outcome outcome() {
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
};

}  // namespace

Executor::Executor(int threads)
    : threads_(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

Outcome Executor::for_each(std::int64_t count, const std::function<Outcome(std::int64_t)>& work) const {
  Work shared(count, work);
  if (threads_ == 1) {
    shared.run_until_empty();
    return shared.outcome();
  }
  // Without it TBB caps the workers at the number of cores and says so on standard error.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads_));
  tbb::task_arena arena(threads_);
  arena.execute([&] {
    tbb::task_group group;
    for (int i = 0; i < threads_; ++i) group.run([&shared] { shared.run_until_empty(); });
    group.wait();
  });
  return shared.outcome();
}

}  // namespace fiducial
