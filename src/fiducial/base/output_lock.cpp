#include "fiducial/base/output_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

// Whether a path still names the file that was opened there: its last holder may have removed it meanwhile.
bool names(const Path& path, const OpenFile& file) {
  struct stat named {};
  struct stat opened {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(file.descriptor(), &opened) == 0 &&
         named.st_dev == opened.st_dev && named.st_ino == opened.st_ino;
}

Path lock_of(const Path& target) {
  return target.parent_path() / ("." + target.filename().string() + ".lock");
}

void remove_empty(const std::vector<Path>& folders) {
  std::error_code ignored;
  for (const Path& folder : folders) std::filesystem::remove(folder, ignored);
}

}  // namespace

bool OutputLock::is_taken(const Path& output) {
  const OpenFile lock(::open(lock_of(output_target(output)).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return lock.descriptor() >= 0 && ::flock(lock.descriptor(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<OutputLock> OutputLock::take(const Path& output) {
  if (is_url(output)) return OutputLock(Path(), OpenFile(), {});  // a bucket knows no locks
  const Path target = output_target(output);
  const Path file = lock_of(target);
  std::vector<Path> made = missing_parents(file);
  if (!made.empty()) FIDUCIAL_TRY_DONE(make_folders(made.front()));
  for (;;) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) {
      const int number = errno;
      remove_empty(made);
      return system_error("create the output", number, target);
    }
    OpenFile opened(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      return Error(ErrorCode::refused, "another run is writing this output", Place{.path = target.string()});
    }
    if (names(file, opened)) return OutputLock(file, std::move(opened), std::move(made));
  }
}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : file_(std::exchange(other.file_, Path())),
      locked_(std::move(other.locked_)),
      made_(std::move(other.made_)) {}

void OutputLock::release() {
  if (file_.empty()) return;
  ::unlink(file_.c_str());
  file_.clear();
  locked_ = OpenFile();
  remove_empty(made_);
}

}  // namespace fiducial
