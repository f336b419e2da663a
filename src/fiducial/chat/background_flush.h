#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "fiducial/base/file.h"
#include "fiducial/base/open_file.h"

namespace fiducial {

// Puts a file on disk while whoever writes it goes on: that takes milliseconds, in which hundreds of replies
// would wait. One thread of its own; the others call from one.
class BackgroundFlush {
 public:
  static Result<std::unique_ptr<BackgroundFlush>> open(const Path& file);
  BackgroundFlush(const BackgroundFlush&) = delete;
  BackgroundFlush& operator=(const BackgroundFlush&) = delete;
  ~BackgroundFlush();

  // Begins with what was written until now, and says whether it did: not where it is busy. An error of an
  // earlier time comes here.
  Result<bool> begin();
  // Waits for what was begun.
  Outcome finish();

 private:
  explicit BackgroundFlush(OpenFile file);
  void work();

  OpenFile file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_wanted_ = false;
  bool ends_ = false;
  std::optional<Error> failure_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace fiducial
