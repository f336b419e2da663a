#include "fiducial/base/file.h"

#include <atomic>
#include <cerrno>
#include <signal.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/partial_file.h"
#include "fiducial/base/system_error.h"
#include "fiducial/base/unfinished_paths.h"

namespace fiducial {

namespace {

// Removes what runs that were killed left beside the target: staging folders whose process is gone.
void remove_abandoned(const Path& target) {
  const std::string name = partial_path(target).filename().string();
  const std::string prefix = name.substr(0, name.rfind('-') + 1);
  const Path parent = partial_path(target).parent_path();
  std::error_code failure;
  std::vector<Path> abandoned;
  for (auto entry = std::filesystem::directory_iterator(parent.empty() ? Path(".") : parent, failure);
       !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string found = entry->path().filename().string();
    if (!found.starts_with(prefix)) continue;
    const std::string_view mark = std::string_view(found).substr(prefix.size());
    const std::size_t dot = mark.find('.');
    if (dot == std::string_view::npos || !parse_integer(mark.substr(dot + 1))) continue;
    const auto process = parse_integer(mark.substr(0, dot));
    if (process && *process > 0 && ::kill(static_cast<pid_t>(*process), 0) != 0 && errno == ESRCH) {
      abandoned.push_back(entry->path());
    }
  }
  for (const Path& path : abandoned) std::filesystem::remove_all(path, failure);
}

bool replaceable(const Path& folder, const std::string& marker) {
  std::error_code failure;
  return std::filesystem::is_directory(folder, failure) &&
         (std::filesystem::is_empty(folder, failure) || std::filesystem::exists(folder / marker, failure));
}

}  // namespace

Path partial_path(const Path& target) {
  Path name = target;
  if (name.filename().empty()) name = name.parent_path();
  // Two of one process differ, too: a call that was given up may still be writing its own.
  static std::atomic<std::uint64_t> count = 0;
  const std::string mark = decimal(::getpid()) + "." + decimal(count++);
  return name.parent_path() / ("." + name.filename().string() + ".partial-" + mark);
}

std::vector<Path> missing_parents(const Path& path) {
  std::vector<Path> out;
  std::error_code ignored;
  for (Path parent = path.parent_path(); !parent.empty() && !std::filesystem::exists(parent, ignored);
       parent = parent.parent_path()) {
    out.push_back(parent);
  }
  return out;
}

Result<std::string> read_text_file(const Path& path, std::uint64_t max_bytes) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  if (file->size() > max_bytes) {
    return Error(ErrorCode::invalid_data,
                 "file has " + decimal(file->size()) + " bytes, at most " + decimal(max_bytes) + " are read",
                 Place{.path = path.string()});
  }
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  FIDUCIAL_TRY(const std::size_t got,
               file->read(std::as_writable_bytes(std::span(text))).in_file(path.string()));
  text.resize(got);
  return text;
}

Outcome write_file(const Path& path, ByteView bytes) {
  FIDUCIAL_TRY(PartialFile file, PartialFile::create(path));
  FIDUCIAL_TRY_DONE(file.write(bytes));
  return file.publish();
}

Outcome write_file(const Path& path, std::string_view text) { return write_file(path, as_bytes(text)); }

Result<StagedFolder> StagedFolder::create(const Path& target, const std::string& marker, bool overwrite) {
  std::error_code failure;
  if (std::filesystem::exists(target, failure)) {
    const Place place{.path = target.string()};
    if (!overwrite) return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it", place);
    if (!replaceable(target, marker)) {
      return Error(ErrorCode::refused,
                   "not an earlier output (no " + marker + " inside), so it is not replaced", place);
    }
  }
  remove_abandoned(target);
  Path staging = partial_path(target);
  std::vector<Path> made = missing_parents(staging);
  std::filesystem::remove_all(staging, failure);
  if (!std::filesystem::create_directories(staging, failure) || failure) {
    return system_error("create the output folder", failure, target);
  }
  note_unfinished(staging);
  return StagedFolder(target, std::move(staging), std::move(made));
}

StagedFolder::StagedFolder(StagedFolder&& other) noexcept
    : target_(std::move(other.target_)),
      staging_(std::exchange(other.staging_, Path())),
      made_(std::move(other.made_)) {}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (staging_.empty()) return;
  std::filesystem::remove_all(staging_, ignored);
  forget_unfinished(staging_);
  for (const Path& parent : made_) std::filesystem::remove(parent, ignored);  // only where empty
}

Outcome StagedFolder::publish() {
  std::error_code failure;
  const Path replaced = staging_.string() + ".replaced";
  const bool existed = std::filesystem::exists(target_, failure);
  if (existed) std::filesystem::rename(target_, replaced, failure);
  if (!failure) std::filesystem::rename(staging_, target_, failure);
  if (failure) {
    std::error_code ignored;
    if (existed && !std::filesystem::exists(target_, ignored))
      std::filesystem::rename(replaced, target_, ignored);
    return system_error("publish the output folder", failure, target_);
  }
  forget_unfinished(staging_);
  staging_.clear();
  if (existed) std::filesystem::remove_all(replaced, failure);
  return done();
}

bool is_file(const Path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace fiducial
