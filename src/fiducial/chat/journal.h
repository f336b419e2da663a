#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "fiducial/base/file.h"
#include "fiducial/base/open_file.h"
#include "fiducial/chat/background_flush.h"
#include "fiducial/chat/journal_line.h"
#include "fiducial/chat/prices.h"

namespace fiducial {

// What all attempts of a journal add up to.
struct JournalTotals {
  std::int64_t attempts = 0;
  std::int64_t replies = 0;
  std::int64_t failures = 0;  // attempts without a reply
  TokenUsage usage;
  TokenUsage batch_usage;  // of usage: what came with batches
  TokenUsage estimated;    // beside usage: what attempts without a count may have taken
  TokenUsage batch_estimated;
  std::map<std::string, std::int64_t> finishes;
  std::map<std::string, std::int64_t> models;   // by the name that the endpoint gives
  std::map<std::string, std::int64_t> dropped;  // parameters, and in how many replies
  std::set<std::string> hosts;                  // that something was sent to, but for this machine
  std::string first_started;
  std::string last_started;

  void add(const JournalEntry& head);
  // What is owed at most: what was counted, and what was not by its estimate.
  double cost(const Price& price) const;
  Json json() const;
};

// Every attempt to get a reply, appended to a file one line at a time: whoever is killed goes on with it, and
// a reply that is there is never asked for again.
//
// Only the places of replies are in memory. The file's last line may be cut off by a kill; any other line
// that does not fit its checksum is an integrity failure. One thread.
class Journal {
 public:
  // Goes on with a journal of this plan, or begins it. Refuses one of another plan, naming what differs.
  static Result<Journal> open(const Path& file, const Json& plan);
  // For reading only; no plan is wanted of it, and a file of replies without checksums will do.
  static Result<Journal> read(const Path& file);

  const Json& plan() const { return plan_; }  // null of a file without one
  const JournalTotals& totals() const { return totals_; }
  std::size_t size() const { return places_.size() + kept_.size(); }  // requests with a reply

  // The reply to a request, or nothing.
  Result<std::optional<ChatReply>> find(const std::string& request) const;
  // Why the last attempt failed, of a request without a reply; "" where there was none.
  std::string last_error(const std::string& request) const;
  std::int64_t attempts(const std::string& request) const;
  // Whether a request was ever sent, and how many were.
  bool has_sent(const std::string& request) const;
  std::size_t sent() const { return places_.size() + kept_.size() + failed_.size() + batched_.size(); }

  Outcome append(const JournalEntry& entry);
  // Notes a batch, and how far it is; on disk when it returns.
  Outcome append(const BatchRecord& record);
  // Every batch, in the order they were begun.
  const std::vector<BatchRecord>& batches() const { return batches_; }
  // Puts on disk what was appended: at once, or meanwhile where it waits for longer than a moment.
  Outcome flush(bool at_once);

 private:
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
  };
  struct Failed {
    std::string error;
    std::int64_t attempts = 0;
  };

  explicit Journal(Path file) : file_(std::move(file)) {}
  Outcome index(OpenFile opened);
  Outcome take_line(std::string_view line, std::uint64_t number, std::uint64_t offset);
  void remember(const BatchRecord& record);
  Outcome remember(const JournalHead& head, std::uint64_t offset, std::size_t bytes);

  Path file_;
  Json plan_;
  OpenFile read_;
  OpenFile write_;
  std::uint64_t end_ = 0;  // of what is whole
  std::unordered_map<std::string, Place> places_;
  std::unordered_map<std::string, ChatReply> kept_;  // of a file without a plan, whose lines are not ours
  std::unordered_map<std::string, Failed> failed_;
  std::vector<BatchRecord> batches_;
  std::set<std::string> batched_;  // requests that were handed in and are without an outcome
  JournalTotals totals_;
  std::unique_ptr<BackgroundFlush> flush_;  // null of one that is read only
  std::size_t unflushed_ = 0;
  std::chrono::steady_clock::time_point oldest_unflushed_;
};

// The first difference between two plans, for a message: "model: gpt-5, and now gpt-5-mini".
std::string plan_difference(const Json& before, const Json& now);

}  // namespace fiducial
