#include "fiducial/curate/engine/replies.h"

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/curate/engine/reply_json.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_reply_line = std::size_t{16} << 20;

struct ReplayLine {
  std::string request;
  std::string item;
  ModelReply reply;
};

std::int64_t count_in(const Json& line, const char* name) {
  const Json* tokens = line.find("tokens");
  return tokens == nullptr ? 0 : integer_at(*tokens, name);
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
  FIDUCIAL_TRY(out.request, text_of(line, "request"));
  FIDUCIAL_TRY(out.item, text_of(line, "item"));
  if (out.request.empty() && out.item.empty()) {
    return invalid_data("expected a \"request\" with the hash of what was asked, or an \"item\"");
  }
  FIDUCIAL_TRY(out.reply.error, text_of(line, "error"));
  const Json* reply = line.find("reply");
  if (reply == nullptr && out.reply.error.empty())
    return invalid_data("expected a \"reply\" or an \"error\"");
  if (reply != nullptr) out.reply.value = reply_json(*reply);
  out.reply.prompt_tokens = count_in(line, "prompt");
  out.reply.completion_tokens = count_in(line, "completion");
  return out;
}

}  // namespace

Json ModelRequest::json() const {
  return Json::object(
      {{"prompt", prompt}, {"model", model}, {"system", system}, {"user", user}, {"schema", schema}});
}

std::string ModelRequest::hash() const { return sha256(as_bytes(json().compact())).hex(); }

Result<ReplayFile> ReplayFile::read(const Path& path) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> file, FileStream::open(path));
  LineReader lines(*file, longest_reply_line);
  ReplayFile out;
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(path.string());
    if (!*line) return out;
    if (is_blank(**line)) continue;
    const Place place{.path = path.string(), .line = lines.number()};
    Result<ReplayLine> parsed = parse_line(**line);
    if (!parsed.ok()) return Error(ErrorCode::invalid_data, parsed.error().text(), place);
    const bool by_request = !parsed->request.empty();
    auto& replies = by_request ? out.by_request_ : out.by_item_;
    const std::string& key = by_request ? parsed->request : parsed->item;
    // A failure may be asked again; the last line that answers counts.
    const auto found = replies.find(key);
    if (found != replies.end() && found->second.error.empty()) {
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
