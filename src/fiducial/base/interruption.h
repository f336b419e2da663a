#pragma once

#include <atomic>

#include "fiducial/base/error.h"

namespace fiducial {

// Makes SIGTERM and SIGINT ask for a stop instead of ending the process. A second SIGINT ends it.
void install_stop_signals();

// Whether a stop was asked for; long work looks between its pieces. Safe from any thread.
bool stop_requested();

// For tests: asks for a stop, or takes the wish back.
void request_stop(bool wanted);

// Says that what this thread does until the end of the scope belongs to a call that its owner may give up.
// An Executor carries the scope to its threads.
class CallScope {
 public:
  using Flag = std::atomic<bool>;

  // The flag outlives the scope; nullptr leaves things as they are outside of any call.
  explicit CallScope(const Flag* given_up);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  static const Flag* current();

 private:
  const Flag* outer_;
};

// Whether the call this thread works for was given up. Nobody wants its result any more, so even the reading
// of a file ends in the middle.
bool call_given_up();

// What such work ends with.
Error given_up();

}  // namespace fiducial
