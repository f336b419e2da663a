#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/chat/chat_reply.h"

namespace fiducial {

// An attempt to get a reply, and what came of it: one line of a journal.
struct JournalEntry {
  std::string request;  // hash of what was asked
  std::string item;     // what the question is about
  std::string step;     // of the workflow
  std::string ask;      // hash by which whoever wants the reply knows it; "" where that is `request`
  std::int64_t attempt = 1;
  std::string started;  // UTC, "2026-03-01T12:00:00.000Z"
  double seconds = 0;
  int status = 0;  // of HTTP; 0 where nothing came back
  std::optional<ChatReply> reply;
  std::string error;                 // why there is no reply
  std::vector<std::string> dropped;  // parameters that were left out because the endpoint refuses them
  std::string batch;                 // id of the batch it came with; "" of a call of its own
  // The most tokens that it may be charged for, where the endpoint counts none; zero where nothing is owed.
  TokenUsage estimated = {};
  std::string host = {};  // that it was sent to; "" of this machine
};

// A batch of requests and how far it is: noted before it is handed in, when its id is known, and when its
// results are in the journal.
struct BatchRecord {
  enum class State { intended, submitted, ended };
  std::string token;  // of ours
  State state = State::intended;
  std::string id;  // of the endpoint, once it is submitted
  std::string started;
  std::vector<std::string> requests;  // their hashes
  // Parameters that were left out because the endpoint refuses them, by the hash of the request.
  std::map<std::string, std::vector<std::string>> dropped = {};
  std::string host = {};  // that it was handed to; "" of this machine

  bool is_open() const { return state != State::ended; }
};

// The line of an entry, with its checksum and a final newline.
std::string journal_line(const JournalEntry& entry);
// The first line of a journal: all that its requests depend on.
std::string journal_header(const Json& plan);

std::string batch_line(const BatchRecord& record);
// The record of a sound line; nothing where the line is none.
std::optional<BatchRecord> parse_batch_line(std::string_view line);

// What stands before the checksum of a line, as far as the line has one and it is right. A line without one
// is nobody's mistake: it is another file's.
enum class LineCheck { sound, damaged, unchecked };
LineCheck check_journal_line(std::string_view line);

// An entry without its reply, of a sound line: cheap however long the reply is. Says whether there is one.
struct JournalHead {
  JournalEntry entry;
  bool has_reply = false;
};
Result<JournalHead> parse_journal_head(std::string_view line);
Result<JournalEntry> parse_journal_line(std::string_view line);
// The plan of a header; nothing where the line is none.
std::optional<Json> parse_journal_header(std::string_view line);

}  // namespace fiducial
