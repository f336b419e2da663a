#pragma once

#include <map>
#include <string>

#include "planned_verb.h"

namespace fiducial::cli {

// A folder for the files that a unit makes, beside its journal; gone with this object.
class UnitFolder {
 public:
  static Result<UnitFolder> create(const Path& journal);
  UnitFolder(UnitFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  UnitFolder& operator=(UnitFolder&&) = delete;
  UnitFolder(const UnitFolder&) = delete;
  UnitFolder& operator=(const UnitFolder&) = delete;
  ~UnitFolder();

  const Path& path() const { return path_; }
  // Keeps every file in the job; returns their hashes by name.
  Result<std::map<std::string, std::string>> keep(const JobFolder& job) const;

 private:
  explicit UnitFolder(Path path) : path_(std::move(path)) {}
  Path path_;
};

// Writes what units kept into a folder that nobody sees yet. Two units with a file of one name are an
// integrity error.
Outcome take_kept_files(const JobFolder& job, const UnitResult& result, const Path& folder);

}  // namespace fiducial::cli
