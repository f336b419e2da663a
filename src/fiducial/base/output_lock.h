#pragma once

#include <utility>
#include <vector>

#include "fiducial/base/open_file.h"

namespace fiducial {

// The right to write an output, held by one run at a time: a locked file beside it that goes when the run
// does. A run that is killed loses the lock with its life; the next one takes the file over.
class OutputLock {
 public:
  // Refused while another run, of this process or another one of this machine, has it. Where the file system
  // knows no locks, as a bucket, there is none.
  static Result<OutputLock> take(const Path& output);
  // Whether somebody has it now.
  static bool is_taken(const Path& output);
  OutputLock(OutputLock&& other) noexcept;
  OutputLock& operator=(OutputLock&&) = delete;
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;
  ~OutputLock() { release(); }

  // Removes the file, and the folders that were made for it where they are empty.
  void release();

 private:
  OutputLock(Path file, OpenFile locked, std::vector<Path> made)
      : file_(std::move(file)), locked_(std::move(locked)), made_(std::move(made)) {}

  Path file_;  // empty once released
  OpenFile locked_;
  std::vector<Path> made_;
};

}  // namespace fiducial
