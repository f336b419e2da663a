#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/server/found_paths.h"

namespace fiducial {

// What was written about the studies of a file: a line for each.
struct StudyLines;

// The reports of studies, and what stages of curation marked in them: findings, denials, labels, regions,
// sentences and chains of places. Files are read when they are first asked for, and again when they have
// changed. Safe from any thread.
class StudyNotes {
 public:
  // From now on these files are looked at; what was read of them stays.
  void look_at(std::vector<Path> reports, std::vector<FoundPaths::Notes> notes);

  // Of the study that a volume belongs to, as the API's CaseNotes. Files that cannot be read are named in its
  // "problems".
  Json about(const std::string& volume) const;

 private:
  Result<std::shared_ptr<const StudyLines>> lines_of(const Path& file, const std::string& stage) const;
  std::vector<Json> documents(const Path& file, const std::string& stage, const std::string& volume,
                              Json::Array& problems) const;

  struct Files {
    std::vector<Path> reports;
    std::vector<FoundPaths::Notes> notes;
  };
  std::shared_ptr<const Files> files() const;

  struct Kept {
    std::string key;
    std::shared_ptr<const StudyLines> lines;
  };

  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<const Files> files_ = std::make_shared<Files>();
  mutable std::unordered_map<std::string, Kept> kept_;  // by path
};

// The structures whose masks make up a structure, itself where it is no union of others.
std::vector<std::string> organs_below(const std::string& structure);

}  // namespace fiducial
