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

// The folder or file that an output goes to: without a final slash, and behind a link where it is one.
Path output_target(const Path& path);

// The folders above a path that are not there yet, innermost first.
std::vector<Path> missing_parents(const Path& path);

// Whether there is a plain file, or a link to one.
bool is_file(const Path& path);

// A folder that appears at its target all at once, or not at all.
//
// Files are written under staging(); publish() puts them on disk and gives the folder its name, in exchange
// for an earlier output where there is one: at no moment is there neither. A folder that is not published is
// removed again, with the folders that were made above it. A target that is a link stands for the folder it
// leads to.
//
// Where the target is a URL, files are written to a local folder and sent by publish(), the marker last:
// whoever finds the marker finds all of them. Meanwhile an object ".fiducial-unfinished" says so, and an
// earlier output is gone.
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
  // Call once, last. Without overwrite, a folder that appeared at the target meanwhile is never replaced.
  Outcome publish();

 private:
  StagedFolder(Path target, Path staging, std::string marker, bool overwrite)
      : target_(std::move(target)),
        staging_(std::move(staging)),
        marker_(std::move(marker)),
        overwrite_(overwrite) {}

  static Result<StagedFolder> create_local(const Path& asked, const std::string& marker, bool overwrite);
  static Result<StagedFolder> create_stored(const Path& url, const std::string& marker, bool overwrite);
  Outcome publish_local();
  Outcome send();

  Path target_;
  Path staging_;
  std::string marker_;
  std::vector<Path> made_;  // folders above the target that were not there before, innermost first
  bool overwrite_ = false;
};

}  // namespace fiducial
