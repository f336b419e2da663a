#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// Scored cases, appended to a file one line at a time, so that a killed run can go on where it was.
//
// The first line holds the key of the run (a hash of all it depends on); a journal of another key is started
// anew. A line is an object with the "case" it is of; one that was cut off by the kill is dropped. append
// may be called from several threads.
class CaseJournal {
 public:
  static Result<std::unique_ptr<CaseJournal>> open(const Path& file, const std::string& key);
  CaseJournal(CaseJournal&&) = delete;
  ~CaseJournal();

  // The line of a case, or nothing.
  const Json* find(const std::string& case_name) const;
  std::size_t size() const { return kept_.size(); }
  Outcome append(const Json& line);
  void remove();  // the run will never go on; folders made for the journal go too

 private:
  CaseJournal(Path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

  Path file_;
  int descriptor_ = -1;
  std::vector<Path> made_;  // folders above the file that were not there before
  std::map<std::string, Json> kept_;
  std::mutex mutex_;
};

// Where the journal of an output folder lies: beside it, hidden; of one that is a URL, in the user's cache.
Path journal_path(const Path& output);

// Publishes the folder of an output and forgets its journal. The journal goes before the folder gets its
// name: a run that is killed in between begins anew, instead of finding its own output in the way. Where
// publishing fails the journal is written again, and the run can go on from it.
Outcome publish_and_forget(const Path& output, StagedFolder& folder);

}  // namespace fiducial
