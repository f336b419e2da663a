#include "fiducial/curate/engine/work_folder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

#include "fiducial/base/staged_file.h"
#include "fiducial/base/system_error.h"

namespace fiducial {

namespace {

constexpr const char* run_file = "run.json";
constexpr const char* checkpoint_file = "checkpoint.json";
constexpr const char* lock_file = "lock";

Path work_path(const Path& target) {
  const Path name = target.filename().empty() ? target.parent_path() : target;
  return name.parent_path() / ("." + name.filename().string() + ".resume");
}

Result<int> locked(const Path& folder) {
  const Path path = folder / lock_file;
  const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0) return system_error("create", errno, path);
  // A file system without locks keeps nobody out, and is none the worse for it.
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == ENOTSUP) return lock;
  ::close(lock);
  return Error(ErrorCode::refused, "another process is writing this output", Place{.path = folder.string()});
}

// What the earlier run left, or null where it was another one or cannot be read.
Json earlier_checkpoint(const Path& folder, const Json& run) {
  const Result<std::string> earlier = read_text_file(folder / run_file);
  if (!earlier.ok() || *earlier != run.pretty()) return {};
  const Result<std::string> text = read_text_file(folder / checkpoint_file);
  Result<Json> checkpoint = text.ok() ? parse_json(*text) : Result<Json>(Json());
  return checkpoint.ok() ? *std::move(checkpoint) : Json();
}

void empty_folder(const Path& folder) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().filename() != lock_file) std::filesystem::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<WorkFolder> WorkFolder::open(const Path& target, const Json& run) {
  Path path = work_path(target);
  FIDUCIAL_TRY_DONE(make_folders(path));
  FIDUCIAL_TRY(const int lock, locked(path));
  WorkFolder out(std::move(path), lock);
  out.checkpoint_ = earlier_checkpoint(out.path_, run);
  if (out.checkpoint_.is_null()) {
    empty_folder(out.path_);
    FIDUCIAL_TRY_DONE(write_file(out.path_ / run_file, run.pretty()));
  }
  return out;
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::exchange(other.path_, Path())),
      lock_(std::exchange(other.lock_, -1)),
      checkpoint_(std::move(other.checkpoint_)) {}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  unlock();
}

void WorkFolder::unlock() {
  if (lock_ >= 0) ::close(lock_);
  lock_ = -1;
}

Outcome WorkFolder::save(const Json& checkpoint) {
  FIDUCIAL_TRY_DONE(flush_folder(path_));
  return write_file(path_ / checkpoint_file, checkpoint.compact() + "\n");
}

void WorkFolder::keep() {
  path_.clear();
  unlock();
}

Path WorkFolder::release() {
  std::error_code ignored;
  for (const char* name : {run_file, checkpoint_file, lock_file})
    std::filesystem::remove(path_ / name, ignored);
  Path out = std::exchange(path_, Path());
  unlock();
  return out;
}

}  // namespace fiducial
