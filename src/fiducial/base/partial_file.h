#pragma once

#include "fiducial/base/open_file.h"

namespace fiducial {

// A file that is written beside its target and takes its name with publish(), all at once: readers see the
// old file or the new one. Without publish() nothing is left behind. Errors name the target.
class PartialFile {
 public:
  static Result<PartialFile> create(const Path& target);
  PartialFile(PartialFile&& other) noexcept;
  PartialFile& operator=(PartialFile&&) = delete;
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile();

  Outcome write(ByteView bytes) const;
  Outcome publish();  // call once, last: flushes to disk and renames

 private:
  PartialFile(Path target, Path partial, OpenFile file)
      : target_(std::move(target)), partial_(std::move(partial)), file_(std::move(file)) {}

  Path target_;
  Path partial_;  // empty once published
  OpenFile file_;
};

}  // namespace fiducial
