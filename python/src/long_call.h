#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>

#include "fiducial/base/progress.h"

#include "errors.h"

namespace fiducial::python {

// Whether a job that was given up is waited for to its end.
enum class Ending { awaited, left_alone };

// What may outlive the caller: work on a thread of its own, and whether its result is still wanted.
class Job {
 public:
  explicit Job(std::function<void(Job&)> work);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  Progress& progress();
  bool given_up() const { return given_up_.load(); }

  // Runs the job on a thread without the GIL. Meanwhile looks for signals and tells progress, a callable of
  // (what, done, total) or None. When Python raises (Ctrl-C, or the callable), the job is given up: it is
  // waited for, a moment or to its end, and the exception goes on. Call with the GIL.
  static void run(const std::shared_ptr<Job>& job, const nanobind::object& progress, Ending ending);

 private:
  struct State;
  void start(std::shared_ptr<Job> self);
  bool wait_ms(int milliseconds);
  void tell(const nanobind::object& progress);

  std::function<void(Job&)> work_;
  std::atomic<bool> given_up_{false};
  std::exception_ptr thrown_;
  std::unique_ptr<State> state_;
};

// Runs work(Progress&) -> Result<T> as a job. The work may own nothing of Python's, since it can outlive the
// call when that is given up.
template <typename Work>
auto long_call(const nanobind::object& progress, Work work) {
  using Value = std::invoke_result_t<Work, Progress&>;
  auto slot = std::make_shared<std::optional<Value>>();
  auto job = std::make_shared<Job>(
      [slot, work = std::move(work)](Job& running) mutable { slot->emplace(work(running.progress())); });
  Job::run(job, progress, Ending::left_alone);
  return unwrapped(*std::move(*slot));
}

// The same for work that looks at Python's memory and ends soon after it is given up: it is always waited
// for.
void short_call(const std::function<void()>& work);

void define_long_calls(nanobind::module_& module);

}  // namespace fiducial::python
