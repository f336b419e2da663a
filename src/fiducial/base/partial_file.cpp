#include "fiducial/base/partial_file.h"

#include <system_error>
#include <unistd.h>

#include "fiducial/base/system_error.h"

namespace fiducial {

Result<PartialFile> PartialFile::create(const Path& target) {
  for (int attempt = 1;; ++attempt) {
    Path partial = partial_path(target);
    Result<OpenFile> file = OpenFile::create_new(partial);
    if (file.ok()) return PartialFile(target, std::move(partial), *std::move(file));
    // Somebody may have laid a file or a link there: the next name is free.
    std::error_code ignored;
    const bool is_taken = std::filesystem::exists(std::filesystem::symlink_status(partial, ignored));
    if (!is_taken || attempt == 100) return std::move(file).error().in_file(target.string());
  }
}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : target_(std::move(other.target_)),
      partial_(std::exchange(other.partial_, Path())),
      file_(std::move(other.file_)) {}

PartialFile::~PartialFile() {
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

Outcome PartialFile::write(ByteView bytes) const { return file_.write(bytes).in_file(target_.string()); }

Outcome PartialFile::publish() {
  FIDUCIAL_TRY_DONE(file_.flush().in_file(target_.string()));
  FIDUCIAL_TRY_DONE(file_.close().in_file(target_.string()));
  FIDUCIAL_TRY_DONE(rename_path(partial_, target_));
  partial_.clear();
  return done();
}

}  // namespace fiducial
