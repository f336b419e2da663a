#pragma once

#include <cstdint>
#include <functional>

#include "fiducial/base/result.h"

namespace fiducial {

// Runs independent pieces of work on a fixed number of threads.
class Executor {
 public:
  explicit Executor(int threads);  // 0 means one per core
  int threads() const { return threads_; }

  // Calls work(0) .. work(count - 1), each once, in ascending order of start. Results belong into slots
  // of their index, so that nothing depends on the number of threads. After a failure no higher index is
  // started, and the failure with the lowest index is returned; so it is when the caller's call was given up.
  Outcome for_each(std::int64_t count, const std::function<Outcome(std::int64_t)>& work) const;

 private:
  int threads_;
};

}  // namespace fiducial
