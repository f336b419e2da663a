#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/eval/case_score.h"

namespace fiducial {

// Scored cases, appended to a file one line at a time, so that a killed run can go on where it was.
//
// The first line holds the key of the run (a hash of its plan and dataset); a journal of another key is
// started anew. A line that was cut off by the kill is dropped. append may be called from several threads.
class CaseJournal {
 public:
  static Result<CaseJournal> open(const Path& file, const std::string& key);
  // What a journal or a shard's cases.jsonl of this key holds, by name; an error on any bad line.
  static Result<std::map<std::string, CaseScore>> read(const Path& file, const std::string& key);
  CaseJournal(CaseJournal&& other) noexcept;
  CaseJournal& operator=(CaseJournal&&) = delete;
  CaseJournal(const CaseJournal&) = delete;
  CaseJournal& operator=(const CaseJournal&) = delete;
  ~CaseJournal();

  const std::map<std::string, CaseScore>& kept() const { return kept_; }
  Outcome append(const CaseScore& scored);
  void remove();  // the run will never go on; folders made for the journal go too

 private:
  CaseJournal(Path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

  Path file_;
  int descriptor_ = -1;
  std::vector<Path> made_;  // folders above the file that were not there before
  std::map<std::string, CaseScore> kept_;
  std::mutex mutex_;
};

// The lines of a complete journal.
std::string journal_text(const std::string& key, const std::vector<CaseScore>& cases);

// Where the journal of an output folder lies: beside it, hidden.
Path journal_path(const Path& output);

}  // namespace fiducial
