#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/result.h"

namespace fiducial {

using Path = std::filesystem::path;

// The whole text of a file of at most max_bytes.
Result<std::string> read_text_file(const Path& path, std::uint64_t max_bytes = std::uint64_t{1} << 30);

// A name beside a target for what is to get its name when it is whole; no two of a process are alike.
Path partial_path(const Path& target);
// Writes beside the target, flushes to disk and renames: readers see the old file or the new one.
Outcome write_file(const Path& path, ByteView bytes);
Outcome write_file(const Path& path, std::string_view text);

// The folders above a path that are not there yet, innermost first.
std::vector<Path> missing_parents(const Path& path);

// Whether there is a plain file, or a link to one.
bool is_file(const Path& path);

// A folder that appears at its target all at once, or not at all.
//
// Files are written under staging(); publish() renames the folder into place. A folder that is not
// published is removed again, with the folders that were made above it.
class StagedFolder {
 public:
  // Refuses a target that exists unless overwrite is set, and then replaces only an empty folder or one
  // that holds the marker file of an earlier output.
  static Result<StagedFolder> create(const Path& target, const std::string& marker, bool overwrite);
  StagedFolder(StagedFolder&& other) noexcept;
  StagedFolder& operator=(StagedFolder&&) = delete;
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder();

  const Path& staging() const { return staging_; }
  Outcome publish();

 private:
  StagedFolder(Path target, Path staging, std::vector<Path> made)
      : target_(std::move(target)), staging_(std::move(staging)), made_(std::move(made)) {}

  Path target_;
  Path staging_;
  std::vector<Path> made_;  // folders above the target that were not there before, innermost first
};

}  // namespace fiducial
