#include "long_call.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>

#include "fiducial/base/interruption.h"

namespace fiducial::python {

namespace nb = nanobind;

namespace {

constexpr int poll_ms = 20;   // how soon a signal is seen
constexpr int grace_ms = 50;  // how long a job that was given up may take to end while its caller waits

// Jobs that were left to themselves, for the end of the process to wait for.
struct Leftovers {
  std::mutex mutex;
  std::vector<std::thread> threads;
};

Leftovers* leftovers = new Leftovers;  // a forked child has none of the threads: it starts with a new list

void forget_leftovers_in_child() { leftovers = new Leftovers; }

void join_leftovers() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(leftovers->mutex);
    threads.swap(leftovers->threads);
  }
  for (std::thread& thread : threads) thread.join();
}

// Counts on the job's threads; the caller's thread tells Python.
class CountedProgress final : public Progress {
 public:
  void begin(std::string_view what, std::int64_t total) override {
    const std::lock_guard lock(mutex_);
    what_ = what;
    total_ = total;
    done_ = 0;
    changed_ = true;
  }
  void advance(std::int64_t steps) override {
    const std::lock_guard lock(mutex_);
    done_ += steps;
    changed_ = true;
  }
  void end() override {}

  struct Count {
    std::string what;
    std::int64_t done = 0;
    std::int64_t total = 0;
  };
  std::optional<Count> news() {
    const std::lock_guard lock(mutex_);
    if (!changed_) return std::nullopt;
    changed_ = false;
    return Count{what_, done_, total_};
  }

 private:
  std::mutex mutex_;
  std::string what_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  bool changed_ = false;
};

}  // namespace

struct Job::State {
  CountedProgress progress;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable ended;
  bool has_ended = false;
};

Job::Job(std::function<void(Job&)> work) : work_(std::move(work)), state_(std::make_unique<State>()) {}

Job::~Job() = default;

Progress& Job::progress() { return state_->progress; }

void Job::start(std::shared_ptr<Job> self) {
  state_->thread = std::thread([self = std::move(self)]() mutable {
    const CallScope scope(&self->given_up_);
    try {
      self->work_(*self);
    } catch (...) {
      self->thrown_ = std::current_exception();
    }
    self->work_ = nullptr;
    const std::lock_guard lock(self->state_->mutex);
    self->state_->has_ended = true;
    self->state_->ended.notify_all();
  });
}

bool Job::wait_ms(int milliseconds) {
  std::unique_lock lock(state_->mutex);
  return state_->ended.wait_for(lock, std::chrono::milliseconds(milliseconds),
                                [this] { return state_->has_ended; });
}

void Job::tell(const nb::object& progress) {
  const auto news = state_->progress.news();
  if (!news || progress.is_none()) return;
  progress(text(news->what), news->done, news->total);
}

void Job::run(const std::shared_ptr<Job>& job, const nb::object& progress, Ending ending) {
  Job& self = *job;
  self.start(job);
  try {
    for (bool ended = false; !ended;) {
      {
        const nb::gil_scoped_release release;
        ended = self.wait_ms(poll_ms);
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      self.tell(progress);
    }
  } catch (...) {
    self.given_up_.store(true);
    const nb::gil_scoped_release release;
    if (ending == Ending::awaited || self.wait_ms(grace_ms)) {
      self.state_->thread.join();
    } else {
      const std::lock_guard lock(leftovers->mutex);
      leftovers->threads.push_back(std::move(self.state_->thread));
    }
    throw;
  }
  self.state_->thread.join();
  if (self.thrown_) std::rethrow_exception(self.thrown_);
}

void short_call(const std::function<void()>& work) {
  Job::run(std::make_shared<Job>([&work](Job&) { work(); }), nb::none(), Ending::awaited);
}

void define_long_calls(nb::module_& module) {
  pthread_atfork(nullptr, nullptr, forget_leftovers_in_child);
  module.def("_join_leftovers", [] {
    const nb::gil_scoped_release release;
    join_leftovers();
  });
  nb::module_::import_("atexit").attr("register")(module.attr("_join_leftovers"));
}

}  // namespace fiducial::python
