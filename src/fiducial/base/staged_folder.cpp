#include <cerrno>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <stdio.h>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/open_file.h"
#include "fiducial/base/store.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/unfinished_paths.h"

namespace fiducial {

namespace {

constexpr std::string_view replaced_ending = ".replaced";

bool is_gone(std::int64_t process) {
  return process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

// What is left beside a target by processes that are gone: "PID.N" and, where an earlier output was moved
// away, "PID.N.replaced".
std::vector<Path> abandoned_beside(const Path& target) {
  const std::string name = partial_path(target).filename().string();
  const std::string prefix = name.substr(0, name.rfind('-') + 1);
  const Path parent = partial_path(target).parent_path();
  std::error_code failure;
  std::vector<Path> out;
  for (auto entry = std::filesystem::directory_iterator(parent.empty() ? Path(".") : parent, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string found = entry->path().filename().string();
    if (!found.starts_with(prefix)) continue;
    std::string_view mark = std::string_view(found).substr(prefix.size());
    if (mark.ends_with(replaced_ending)) mark.remove_suffix(replaced_ending.size());
    const std::size_t dot = mark.find('.');
    if (dot == std::string_view::npos || !parse_integer(mark.substr(dot + 1))) continue;
    if (is_gone(parse_integer(mark.substr(0, dot)).value_or(0))) out.push_back(entry->path());
  }
  return out;
}

// Removes what killed runs left, but for an earlier output that was moved away and has no successor: that one
// gets its name back.
void clear_abandoned(const Path& target) {
  std::error_code ignored;
  for (const Path& path : abandoned_beside(target)) {
    const bool is_earlier = path.filename().string().ends_with(replaced_ending);
    if (is_earlier && !std::filesystem::exists(target, ignored)) {
      std::filesystem::rename(path, target, ignored);
    } else {
      std::filesystem::remove_all(path, ignored);
    }
  }
}

bool replaceable(const Path& folder, const std::string& marker) {
  std::error_code failure;
  return std::filesystem::is_directory(folder, failure) &&
         (std::filesystem::is_empty(folder, failure) || std::filesystem::exists(folder / marker, failure));
}

// Whether a folder or file that stands where an output goes may be replaced.
Outcome check_existing(const Path& target, const std::string& marker, bool overwrite) {
  const Place place{.path = target.string()};
  if (!marker.empty() && replaceable(target, marker)) {
    if (overwrite) return done();
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it", place);
  }
  if (overwrite)
    return Error(ErrorCode::refused,
                 "not an earlier output (no " + marker + " inside), so it is not replaced", place);
  return Error(ErrorCode::bad_usage,
               "output exists" + (marker.empty() ? "" : " and is no earlier one (no " + marker + " inside)") +
                   "; name another place",
               place);
}

bool is_empty_folder(const Path& folder) {
  std::error_code failure;
  return std::filesystem::is_directory(folder, failure) && std::filesystem::is_empty(folder, failure);
}

// A fresh folder: one that somebody laid there, or a link, is passed by.
Result<Path> make_staging(const Path& target) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    Path staging = partial_path(target);
    if (::mkdir(staging.c_str(), 0777) == 0) return staging;
    if (errno != EEXIST) break;
  }
  return system_error("create the output folder", errno, target);
}

Outcome flush_path(const Path& path, bool is_folder) {
  Result<OpenFile> opened = is_folder ? OpenFile::open_folder(path) : OpenFile::open(path);
  if (!opened.ok()) return std::move(opened).error().in_file(path.string());
  return opened->flush().in_file(path.string());
}

// Puts a folder on disk with all that lies in it.
Outcome flush_tree(const Path& folder) {
  std::error_code failure;
  for (auto entry = std::filesystem::recursive_directory_iterator(folder, failure);
       !failure && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failure)) {
    if (entry->is_symlink(failure)) continue;
    const bool is_folder = entry->is_directory(failure);
    if (is_folder || entry->is_regular_file(failure)) FIDUCIAL_TRY_DONE(flush_path(entry->path(), is_folder));
  }
  if (failure) return system_error("list the output folder", failure, folder);
  return flush_path(folder, true);
}

// Some file systems give names only the old way.
bool is_unsupported(int number) { return number == ENOSYS || number == EINVAL || number == EOPNOTSUPP; }

// The way of file systems that cannot exchange names: the earlier folder is moved away first.
Outcome exchange_by_steps(const Path& staging, const Path& target) {
  const Path earlier = staging.string() + std::string(replaced_ending);
  std::error_code failure;
  std::filesystem::rename(target, earlier, failure);
  if (!failure) {
    std::filesystem::rename(staging, target, failure);
    std::error_code ignored;
    if (failure) std::filesystem::rename(earlier, target, ignored);
  }
  if (failure) return system_error("publish the output folder", failure, target);
  std::filesystem::rename(earlier, staging, failure);
  return done();
}

Outcome give_name(const Path& staging, const Path& target) {
  if (::renameat2(AT_FDCWD, staging.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) return done();
  // A plain rename takes the place of an empty folder, never of another one.
  if ((is_unsupported(errno) || errno == EEXIST) && ::rename(staging.c_str(), target.c_str()) == 0)
    return done();
  if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR) {
    return Error(ErrorCode::bad_usage, "another run wrote this output meanwhile; --overwrite replaces it",
                 Place{.path = target.string()});
  }
  return system_error("publish the output folder", errno, target);
}

}  // namespace

Result<StagedFolder> StagedFolder::create(const Path& target, const std::string& marker, bool overwrite) {
  return is_url(target) ? create_stored(target, marker, overwrite) : create_local(target, marker, overwrite);
}

Outcome StagedFolder::publish() { return is_url(target_) ? send() : publish_local(); }

Result<StagedFolder> StagedFolder::create_local(const Path& asked, const std::string& marker,
                                                bool overwrite) {
  const Path target = output_target(asked);
  clear_abandoned(target);
  std::error_code failure;
  if (std::filesystem::exists(target, failure) && !is_empty_folder(target)) {
    FIDUCIAL_TRY_DONE(check_existing(target, marker, overwrite));
  }
  std::vector<Path> made = missing_parents(target);
  if (!made.empty() && !std::filesystem::create_directories(made.front(), failure) && failure) {
    return system_error("create the output folder", failure, target);
  }
  FIDUCIAL_TRY(Path staging, make_staging(target));
  note_unfinished(staging);
  StagedFolder out(target, std::move(staging), marker, overwrite);
  out.made_ = std::move(made);
  return out;
}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : target_(std::move(other.target_)),
      staging_(std::exchange(other.staging_, Path())),
      marker_(std::move(other.marker_)),
      made_(std::move(other.made_)),
      overwrite_(other.overwrite_) {}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (staging_.empty()) return;
  std::filesystem::remove_all(staging_, ignored);
  forget_unfinished(staging_);
  for (const Path& parent : made_) std::filesystem::remove(parent, ignored);  // only where empty
}

Outcome StagedFolder::publish_local() {
  FIDUCIAL_TRY_DONE(flush_tree(staging_));
  std::error_code failure;
  const bool replaces = overwrite_ && std::filesystem::exists(target_, failure);
  if (!replaces) {
    FIDUCIAL_TRY_DONE(give_name(staging_, target_));
  } else if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    if (!is_unsupported(errno)) return system_error("publish the output folder", errno, target_);
    FIDUCIAL_TRY_DONE(exchange_by_steps(staging_, target_));
  }
  // What has the staging name is the earlier output, if anything.
  const Path earlier = std::exchange(staging_, Path());
  if (replaces) std::filesystem::remove_all(earlier, failure);
  forget_unfinished(earlier);
  const Path parent = target_.parent_path();
  return flush_path(parent.empty() ? Path(".") : parent, true);
}

}  // namespace fiducial
