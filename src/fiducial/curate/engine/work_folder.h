#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// The folder a stage works in, beside its target. What a run that was killed left there, the same run finds
// again: same stage, parameters, inputs by name and version of this program. One process at a time.
class WorkFolder {
 public:
  // run says what is done; a folder of another run is emptied.
  static Result<WorkFolder> open(const Path& target, const Json& run);
  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();  // removes the folder unless it was kept or published

  const Path& path() const { return path_; }
  // Where the earlier run was; null where there was none.
  const Json& checkpoint() const { return checkpoint_; }
  // Puts all that was written on disk, then the place.
  Outcome save(const Json& checkpoint);
  // Leaves the folder for the next run.
  void keep();
  // Takes what is ours alone out of the folder, which is then the caller's.
  Path release();

 private:
  WorkFolder(Path path, int lock) : path_(std::move(path)), lock_(lock) {}
  void unlock();

  Path path_;  // empty once released or kept
  int lock_ = -1;
  Json checkpoint_;
};

}  // namespace fiducial
