#include "fiducial/curate/engine/replies.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/chat/journal_line.h"
#include "fiducial/curate/engine/reply_json.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_reply_line = std::size_t{16} << 20;

struct ReplayLine {
  std::string request;
  std::string item;
  ModelReply reply;
};

// Tokens of a reply, as files from elsewhere and journals of runs have them.
TokenUsage tokens_of(const Json& line) {
  const Json* tokens = line.find("tokens");
  if (tokens == nullptr) tokens = line.find("usage");
  return tokens == nullptr ? TokenUsage{} : TokenUsage::parse(*tokens);
}

Result<std::string> text_of(const Json& line, const char* name) {
  const Json* found = line.find(name);
  if (found == nullptr || found->is_null()) return std::string();
  if (found->as_integer() != nullptr) return decimal(*found->as_integer());
  return expect_string(*found, std::string("/") + name);
}

Result<ReplayLine> parse_line(std::string_view text) {
  FIDUCIAL_TRY(const Json line, parse_json(text));
  FIDUCIAL_TRY_DONE(expect_object(line, ""));
  ReplayLine out;
  FIDUCIAL_TRY(out.request, text_of(line, "ask"));  // of a run that answered requests of ours
  if (out.request.empty()) {
    FIDUCIAL_TRY(out.request, text_of(line, "request"));
  }
  FIDUCIAL_TRY(out.item, text_of(line, "item"));
  if (out.request.empty() && out.item.empty()) {
    return invalid_data("expected a \"request\" with the hash of what was asked, or an \"item\"");
  }
  FIDUCIAL_TRY(out.reply.error, text_of(line, "error"));
  const Json* reply = line.find("reply");
  if (reply == nullptr && out.reply.error.empty())
    return invalid_data("expected a \"reply\" or an \"error\"");
  if (reply != nullptr) out.reply.value = reply_json(*reply);
  const TokenUsage tokens = tokens_of(line);
  out.reply.prompt_tokens = tokens.prompt;
  out.reply.completion_tokens = tokens.completion;
  return out;
}

// Tells the lines of a run's journal, which have checksums, from those of any other file.
class JournalLines {
 public:
  // Whether the line holds a reply. The last line of a journal may be cut off; then it is none.
  Result<bool> holds_reply(std::string_view line) {
    const LineCheck check = check_journal_line(line);
    if (was_cut_off_ || check == LineCheck::damaged)
      return Error(ErrorCode::integrity, "the line does not fit its checksum");
    if (check == LineCheck::sound && parse_journal_header(line)) {
      is_journal_ = true;
      return false;
    }
    if (check == LineCheck::sound && parse_batch_line(line)) return false;
    was_cut_off_ = is_journal_ && check == LineCheck::unchecked;
    return !was_cut_off_;
  }

  bool is_journal() const { return is_journal_; }

 private:
  bool is_journal_ = false;
  bool was_cut_off_ = false;
};

}  // namespace

Json ModelRequest::json() const {
  return Json::object(
      {{"prompt", prompt}, {"model", model}, {"system", system}, {"user", user}, {"schema", schema}});
}

std::string ModelRequest::hash() const { return sha256(as_bytes(json().compact())).hex(); }

Result<ReplayFile> ReplayFile::read(const Path& path, std::uint64_t forgiven_bytes) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_reply_line);
  JournalLines journal;
  ReplayFile out;
  std::uint64_t end = 0;
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(path.string());
    if (!*line) return out;
    end += (*line)->size() + 1;
    if (is_blank(**line)) continue;
    const Place place{.path = path.string(), .line = lines.number()};
    const Result<bool> holds_reply = journal.holds_reply(**line);
    if (!holds_reply.ok()) return holds_reply.error().at(place);
    if (!*holds_reply) continue;
    Result<ReplayLine> parsed = parse_line(**line);
    if (!parsed.ok()) return Error(ErrorCode::invalid_data, parsed.error().text(), place);
    if (!parsed->reply.error.empty() && end <= forgiven_bytes) continue;
    const bool by_request = !parsed->request.empty();
    auto& replies = by_request ? out.by_request_ : out.by_item_;
    const std::string& key = by_request ? parsed->request : parsed->item;
    // A failure may be asked again; the last line that answers counts.
    const auto found = replies.find(key);
    const bool was_answered = found != replies.end() && found->second.error.empty();
    if (was_answered && journal.is_journal()) {  // its form was wrong, and it was asked for again
      parsed->reply.prompt_tokens += found->second.prompt_tokens;
      parsed->reply.completion_tokens += found->second.completion_tokens;
      if (!parsed->reply.error.empty()) continue;
    } else if (was_answered) {
      return Error(ErrorCode::invalid_data, "expected one reply to " + key + ", found a second one", place);
    }
    parsed->reply.key = (by_request ? "request " : "item ") + key;
    replies[key] = std::move(parsed->reply);
  }
}

Result<std::optional<ModelReply>> ReplayFile::reply_to(const ModelRequest& request, const std::string& id) {
  const auto exact = by_request_.find(request.hash());
  if (exact != by_request_.end()) return std::optional(exact->second);
  const auto named = by_item_.find(id);
  if (named != by_item_.end()) return std::optional(named->second);
  return std::optional<ModelReply>();
}

}  // namespace fiducial
