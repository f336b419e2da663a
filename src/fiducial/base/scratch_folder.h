#pragma once

#include <utility>

#include "fiducial/base/file.h"

namespace fiducial {

// A fresh folder of our own in the system's place for temporary ones, removed at the end of the scope.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make();
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  const Path& path() const { return path_; }
  // Leaves the folder to whoever takes its path: to remove it, and to forget_unfinished() it then.
  Path release() { return std::exchange(path_, {}); }

 private:
  explicit ScratchFolder(Path path) : path_(std::move(path)) {}

  Path path_;
};

}  // namespace fiducial
