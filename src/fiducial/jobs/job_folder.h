#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/jobs/job_plan.h"

namespace fiducial {

// Somebody works on a unit, or did. Attempts of a unit are numbered from 0.
struct Claim {
  std::int64_t unit = 0;
  std::int64_t attempt = 0;
  std::uint64_t beats = 0;  // the length of its file, which grows while its worker lives
};

// What has become of a job: read from the names of its files alone.
struct JobProgress {
  std::map<std::int64_t, std::vector<std::string>> results;  // hashes of contents, by unit
  std::map<std::int64_t, Claim> claims;                      // of each unit the one with the highest number

  bool is_done(std::int64_t unit) const { return results.contains(unit); }
  std::vector<std::int64_t> open_units(std::int64_t units) const;
};

// What a unit came to: a value that the verb made, and files by name with the hash of their bytes.
struct UnitResult {
  std::int64_t unit = 0;
  Json value;
  std::map<std::string, std::string> files;
};

// The text of a result, which its name is the hash of. Nothing in it tells who made it, where or when.
std::string unit_text(const JobPlan& plan, const UnitResult& result);
// Refuses results of another plan.
Result<UnitResult> parse_unit(std::string_view text, const JobPlan& plan);

// The folder of a job: plan.json, claims/ <unit>.<attempt>, units/ <unit>.<sha256>.json, journals/ and
// files/.
//
// Claims are hints: losing or doubling one costs time and nothing else. No file is locked, no clock is read,
// and nothing is changed once it has its name, so that any file system that can rename will do, and a bucket.
class JobFolder {
 public:
  JobFolder(Path path, const JobPlan& plan) : path_(std::move(path)), plan_(plan) {}

  const Path& path() const { return path_; }
  Result<JobProgress> progress() const;

  // False where somebody has this attempt already.
  Result<bool> claim(const Claim& wanted) const;
  // The worker is alive. A claim that is gone stays so.
  void beat(const Claim& held) const;
  void release(const Claim& held) const;
  // Whether somebody else may be at the same unit: this is no first attempt, or there is a further one.
  bool has_rival(const Claim& held) const;
  std::string holder(const Claim& claim) const;  // "host 4711", for messages

  // The journal of an attempt; a further attempt goes on from that of the one before, unless it is a copy.
  Path journal(const Claim& held, bool goes_on) const;
  // Those of this attempt and of the ones before.
  void forget_journals(const Claim& held) const;
  // The same, but for that of this attempt, which the caller may give another name: file systems are slow to
  // make files while many were removed.
  Path spare_journal(const Claim& held) const;
  static void rename_journal(const Path& spare, const Path& journal);
  // What workers that were killed left beside their journals; for a job that is done.
  void forget_leftovers() const;

  // Keeps a file of a result; returns the hash that is its name.
  Result<std::string> keep(std::string_view bytes) const;
  Path kept(const std::string& hash) const { return path_ / "files" / hash; }
  // An integrity error where the file is not what its name says.
  Result<std::string> read_kept(const std::string& hash, std::uint64_t max_bytes) const;

  Outcome publish(const UnitResult& result) const;
  // The one result of every unit, by unit. Unfinished where one is missing; integrity where two differ.
  Outcome visit_results(const std::function<Outcome(UnitResult)>& visit) const;

 private:
  // Of a job in a bucket on this machine: journals grow line by line.
  Path journal_folder() const;
  Path claim_path(const Claim& claim) const;
  Path journal_path(std::int64_t unit, std::int64_t attempt) const;

  Path path_;
  const JobPlan& plan_;
};

// An integrity error where a unit has two results that differ, unless the verb may give such.
Outcome check_agreement(const JobPlan& plan, const JobProgress& progress, const Path& job);

}  // namespace fiducial
