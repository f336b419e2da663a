#include "fiducial/chat/journal_line.h"

#include <array>

#include "fiducial/base/json_fields.h"
#include "fiducial/chat/crc32c.h"

namespace fiducial {

namespace {

constexpr std::string_view journal_schema = "fiducial.journal/1";
constexpr std::string_view checksum_begin = R"(,"crc32c":")";
constexpr std::string_view checksum_end = R"("})";
constexpr std::size_t checksum_digits = 8;
constexpr std::size_t suffix_bytes = checksum_begin.size() + checksum_digits + checksum_end.size();

std::string hexadecimal(std::uint32_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out(checksum_digits, '0');
  for (std::size_t i = checksum_digits; i-- > 0; value >>= 4U) out[i] = digits[value & 0xFU];
  return out;
}

// {"a":1} becomes {"a":1,"crc32c":"..."} and a newline; the sum is of {"a":1.
std::string checked_line(std::string text) {
  text.pop_back();
  const std::string sum = hexadecimal(crc32c(text));
  text.append(checksum_begin).append(sum).append(checksum_end);
  return text += '\n';
}

JournalEntry entry_of(const Json& line) {
  JournalEntry out{.request = text_at(line, "request"),
                   .item = text_at(line, "item"),
                   .step = text_at(line, "step"),
                   .ask = text_at(line, "ask"),
                   .attempt = integer_at(line, "attempt"),
                   .started = text_at(line, "started"),
                   .seconds = number_at(line, "seconds").value_or(0),
                   .status = static_cast<int>(integer_at(line, "status")),
                   .reply = {},
                   .error = text_at(line, "error"),
                   .dropped = strings_at(line, "dropped"),
                   .batch = text_at(line, "batch"),
                   .host = text_at(line, "host")};
  if (const Json* estimated = line.find("estimated")) out.estimated = TokenUsage::parse(*estimated);
  return out;
}

ChatReply reply_of(const Json& line) {
  const Json* reply = line.find("reply");
  const bool is_value = reply != nullptr && reply->as_string() == nullptr;  // the object itself, not its text
  ChatReply out{.text = is_value ? reply->compact() : text_at(line, "reply"),
                .finish = text_at(line, "finish"),
                .usage = {},
                .model = text_at(line, "model"),
                .logprobs = {}};
  if (const Json* usage = line.find("usage")) out.usage = TokenUsage::parse(*usage);
  if (const Json* logprobs = line.find("logprobs")) out.logprobs = *logprobs;
  return out;
}

}  // namespace

std::string journal_line(const JournalEntry& entry) {
  Json out = Json::object({{"request", entry.request},
                           {"item", entry.item},
                           {"step", entry.step},
                           {"attempt", entry.attempt},
                           {"started", entry.started},
                           {"seconds", entry.seconds},
                           {"status", entry.status}});
  if (!entry.ask.empty()) out.set("ask", entry.ask);
  if (!entry.batch.empty()) out.set("batch", entry.batch);
  if (!entry.dropped.empty()) out.set("dropped", Json::strings(entry.dropped));
  if (!entry.host.empty()) out.set("host", entry.host);
  if (entry.estimated.is_known())
    out.set("estimated",
            Json::object({{"prompt", entry.estimated.prompt}, {"completion", entry.estimated.completion}}));
  if (!entry.reply) return checked_line(out.set("error", entry.error).compact());
  out.set("model", entry.reply->model)
      .set("finish", entry.reply->finish)
      .set("usage", entry.reply->usage.json());
  out.set("reply", entry.reply->text);  // what is long comes last
  if (!entry.reply->logprobs.is_null()) out.set("logprobs", entry.reply->logprobs);
  return checked_line(out.compact());
}

std::string journal_header(const Json& plan) {
  return checked_line(Json::object({{"journal", journal_schema}, {"plan", plan}}).compact());
}

std::string batch_line(const BatchRecord& record) {
  const char* state = record.state == BatchRecord::State::intended    ? "intended"
                      : record.state == BatchRecord::State::submitted ? "submitted"
                                                                      : "ended";
  Json out = Json::object({{"batch_token", record.token}, {"state", state}, {"started", record.started}});
  if (!record.id.empty()) out.set("id", record.id);
  if (!record.host.empty()) out.set("host", record.host);
  // The requests do not change: the first line of a batch names them.
  if (record.state == BatchRecord::State::intended) out.set("requests", Json::strings(record.requests));
  if (record.state == BatchRecord::State::intended && !record.dropped.empty()) {
    Json dropped = Json::Object{};
    for (const auto& [request, names] : record.dropped) dropped.set(request, Json::strings(names));
    out.set("dropped", std::move(dropped));
  }
  return checked_line(out.compact());
}

std::optional<BatchRecord> parse_batch_line(std::string_view line) {
  if (!line.starts_with(R"({"batch_token":)")) return std::nullopt;
  const Result<Json> parsed = parse_json(line);
  if (!parsed.ok()) return std::nullopt;
  const std::string state = text_at(*parsed, "state");
  BatchRecord out{.token = text_at(*parsed, "batch_token"),
                  .id = text_at(*parsed, "id"),
                  .started = text_at(*parsed, "started"),
                  .requests = strings_at(*parsed, "requests"),
                  .host = text_at(*parsed, "host")};
  if (const Json::Object* dropped = find_object(*parsed, "dropped")) {
    for (const auto& [request, names] : *dropped)
      out.dropped.emplace(request, strings_at(*parsed->find("dropped"), request));
  }
  if (state == "submitted") out.state = BatchRecord::State::submitted;
  if (state == "ended") out.state = BatchRecord::State::ended;
  return out;
}

LineCheck check_journal_line(std::string_view line) {
  if (line.size() <= suffix_bytes || !line.ends_with(checksum_end)) return LineCheck::unchecked;
  const std::size_t begin = line.size() - suffix_bytes;
  if (line.substr(begin, checksum_begin.size()) != checksum_begin) return LineCheck::unchecked;
  const std::string_view told = line.substr(begin + checksum_begin.size(), checksum_digits);
  return hexadecimal(crc32c(line.substr(0, begin))) == told ? LineCheck::sound : LineCheck::damaged;
}

Result<JournalHead> parse_journal_head(std::string_view line) {
  // In our lines a quotation mark inside of a text is escaped, so this can only be the member itself.
  const std::size_t reply = line.find(R"(,"reply":)");
  const bool has_reply = reply != std::string_view::npos;
  std::string head(has_reply ? line.substr(0, reply) : line);
  if (has_reply) head += '}';
  FIDUCIAL_TRY(const Json parsed, parse_json(head));
  JournalHead out{.entry = entry_of(parsed), .has_reply = has_reply};
  if (out.entry.request.empty())
    return invalid_data("expected a \"request\" with the hash of what was asked");
  if (has_reply) out.entry.reply = reply_of(parsed);
  return out;
}

Result<JournalEntry> parse_journal_line(std::string_view line) {
  FIDUCIAL_TRY(const Json parsed, parse_json(line));
  FIDUCIAL_TRY_DONE(expect_object(parsed, ""));
  JournalEntry out = entry_of(parsed);
  if (out.request.empty()) return invalid_data("expected a \"request\" with the hash of what was asked");
  if (parsed.find("reply") != nullptr) out.reply = reply_of(parsed);
  if (!out.reply && out.error.empty()) return invalid_data("expected a \"reply\" or an \"error\"");
  return out;
}

std::optional<Json> parse_journal_header(std::string_view line) {
  if (!line.starts_with(R"({"journal":)")) return std::nullopt;
  const Result<Json> parsed = parse_json(line);
  if (!parsed.ok() || text_at(*parsed, "journal") != journal_schema) return std::nullopt;
  const Json* plan = parsed->find("plan");
  return plan == nullptr ? std::nullopt : std::optional(*plan);
}

}  // namespace fiducial
