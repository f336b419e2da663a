#include "fiducial/chat/journal.h"

#include <limits>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_line = std::size_t{128} << 20;

Json counts_json(const std::map<std::string, std::int64_t>& counts) {
  Json out = Json::Object{};
  for (const auto& [name, count] : counts) out.set(name, count);
  return out;
}

std::string shortly(const Json* value) {
  constexpr std::size_t most = 60;
  if (value == nullptr) return "nothing";
  const std::string text = value->as_string() != nullptr ? *value->as_string() : value->compact();
  return text.size() <= most ? text : "another one";
}

}  // namespace

void JournalTotals::add(const JournalEntry& head) {
  ++attempts;
  if (first_started.empty() || head.started < first_started) first_started = head.started;
  if (head.started > last_started) last_started = head.started;
  if (!head.host.empty()) hosts.insert(head.host);
  (head.batch.empty() ? estimated : batch_estimated) += head.estimated;
  if (!head.reply) {
    ++failures;
    return;
  }
  ++replies;
  usage += head.reply->usage;
  if (!head.batch.empty()) batch_usage += head.reply->usage;
  ++finishes[head.reply->finish.empty() ? "unknown" : head.reply->finish];
  ++models[head.reply->model.empty() ? "unnamed" : head.reply->model];
  for (const std::string& name : head.dropped) ++dropped[name];
}

double JournalTotals::cost(const Price& price) const {
  return price.of(usage, batch_usage) + price.of(estimated) + price.batch * price.of(batch_estimated);
}

Json JournalTotals::json() const {
  Json out = Json::object({{"attempts", attempts},
                           {"replies", replies},
                           {"failed_attempts", failures},
                           {"tokens", usage.json()},
                           {"tokens_of_batches", batch_usage.json()},
                           {"finish", counts_json(finishes)},
                           {"answered_as", counts_json(models)},
                           {"dropped_parameters", counts_json(dropped)},
                           {"first_started", first_started},
                           {"last_started", last_started}});
  TokenUsage uncounted = estimated;
  uncounted += batch_estimated;
  if (uncounted.is_known()) out.set("tokens_uncounted_at_most", uncounted.json());
  return out;
}

std::string plan_difference(const Json& before, const Json& now) {
  for (const auto& [name, value] : *now.as_object()) {
    const Json* old = before.find(name);
    if (old != nullptr && old->compact() == value.compact()) continue;
    return name + ": " + shortly(old) + ", and now " + shortly(&value);
  }
  return before.compact() == now.compact() ? std::string() : "other settings";
}

Result<Journal> Journal::read(const Path& file) {
  Result<OpenFile> opened = OpenFile::open(file);
  if (!opened.ok()) return std::move(opened).error().in_file(file.string());
  Journal out(file);
  FIDUCIAL_TRY_DONE(out.index(*std::move(opened)));
  return out;
}

Result<Journal> Journal::open(const Path& file, const Json& plan) {
  Journal out(file);
  if (is_file(file)) {
    FIDUCIAL_TRY(out, read(file));
    if (out.plan_.is_null() && out.end_ > 0)
      return Error(ErrorCode::bad_usage, "this is no journal of a run",
                   ::fiducial::Place{.path = file.string()});
    const std::string difference = out.plan_.is_null() ? "" : plan_difference(out.plan_, plan);
    if (!difference.empty())
      return Error(
          ErrorCode::bad_usage,
          "the folder holds another run (" + difference + "); give another -o, or the settings of that run",
          ::fiducial::Place{.path = file.string()});
  }
  FIDUCIAL_TRY(out.write_, OpenFile::extend(file, out.end_).in_file(file.string()));
  if (out.end_ == 0) {
    out.plan_ = plan;
    const std::string header = journal_header(plan);
    FIDUCIAL_TRY_DONE(out.write_.write(as_bytes(header)).in_file(file.string()));
    FIDUCIAL_TRY_DONE(out.write_.flush().in_file(file.string()));
    out.end_ = header.size();
  }
  FIDUCIAL_TRY(out.read_, OpenFile::open(file).in_file(file.string()));
  FIDUCIAL_TRY(out.flush_, BackgroundFlush::open(file));
  return out;
}

Outcome Journal::index(OpenFile opened) {
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> stream, FileStream::open(file_));
  LineReader lines(*stream, longest_line);
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(file_.string());
    if (!*line) break;
    const std::uint64_t next = end_ + (*line)->size() + 1;
    // A line of ours that was cut off was never finished, so it never was.
    if (next > stream->size() && (!plan_.is_null() || lines.number() == 1)) break;
    FIDUCIAL_TRY_DONE(take_line(**line, lines.number(), end_));
    end_ = next;
  }
  read_ = std::move(opened);
  return done();
}

Outcome Journal::take_line(std::string_view line, std::uint64_t number, std::uint64_t offset) {
  const auto at_line = [&](ErrorCode code, std::string message) {
    return Error(code, std::move(message), ::fiducial::Place{.path = file_.string(), .line = number});
  };
  const LineCheck check = check_journal_line(line);
  if (number == 1 && check == LineCheck::sound) {
    if (auto plan = parse_journal_header(line)) {
      plan_ = *std::move(plan);
      return done();
    }
  }
  if (check == LineCheck::damaged) return at_line(ErrorCode::integrity, "the line does not fit its checksum");
  if (check == LineCheck::unchecked) {
    if (is_blank(line)) return done();
    // Every line of a journal has its checksum; a file of replies from elsewhere has none.
    if (!plan_.is_null()) return at_line(ErrorCode::integrity, "the line has no checksum");
  }
  if (plan_.is_null()) {
    Result<JournalEntry> entry = parse_journal_line(line);
    if (!entry.ok()) return at_line(ErrorCode::invalid_data, entry.error().message());
    if (entry->reply) {
      kept_.try_emplace(entry->request, *entry->reply);
    } else {
      failed_[entry->request].error = entry->error;
    }
    totals_.add(*entry);
    return done();
  }
  if (const auto batch = parse_batch_line(line)) {
    remember(*batch);
    return done();
  }
  Result<JournalHead> head = parse_journal_head(line);
  if (!head.ok()) return at_line(ErrorCode::invalid_data, head.error().message());
  return remember(*head, offset, line.size());
}

Outcome Journal::remember(const JournalHead& head, std::uint64_t offset, std::size_t bytes) {
  FIDUCIAL_ASSERT(bytes <= std::numeric_limits<std::uint32_t>::max());
  totals_.add(head.entry);
  batched_.erase(head.entry.request);
  if (head.has_reply) {
    places_.try_emplace(head.entry.request, Place{offset, static_cast<std::uint32_t>(bytes)});
    failed_.erase(head.entry.request);
  } else {
    Failed& failed = failed_[head.entry.request];
    failed.error = head.entry.error;
    ++failed.attempts;
  }
  return done();
}

Result<std::optional<ChatReply>> Journal::find(const std::string& request) const {
  if (const auto kept = kept_.find(request); kept != kept_.end()) return std::optional(kept->second);
  const auto found = places_.find(request);
  if (found == places_.end()) return std::optional<ChatReply>();
  std::string line(found->second.bytes, '\0');
  FIDUCIAL_TRY(
      const std::size_t got,
      read_.read_at(found->second.offset, std::as_writable_bytes(std::span(line))).in_file(file_.string()));
  if (got < line.size() || check_journal_line(line) == LineCheck::damaged)
    return Error(ErrorCode::integrity, "the journal changed while it was read",
                 ::fiducial::Place{.path = file_.string(), .byte = found->second.offset});
  FIDUCIAL_TRY(JournalEntry entry, parse_journal_line(line).in_file(file_.string()));
  return std::move(entry.reply);
}

std::string Journal::last_error(const std::string& request) const {
  const auto found = failed_.find(request);
  return found == failed_.end() ? std::string() : found->second.error;
}

std::int64_t Journal::attempts(const std::string& request) const {
  const auto found = failed_.find(request);
  return found == failed_.end() ? 0 : found->second.attempts;
}

bool Journal::has_sent(const std::string& request) const {
  return places_.contains(request) || failed_.contains(request) || kept_.contains(request) ||
         batched_.contains(request);
}

Outcome Journal::append(const JournalEntry& entry) {
  const std::string line = journal_line(entry);
  FIDUCIAL_TRY_DONE(write_.write(as_bytes(line)).in_file(file_.string()));
  const std::uint64_t offset = end_;
  end_ += line.size();
  if (unflushed_++ == 0) oldest_unflushed_ = std::chrono::steady_clock::now();
  FIDUCIAL_TRY_DONE(remember({entry, entry.reply.has_value()}, offset, line.size() - 1));
  return flush(false);
}

void Journal::remember(const BatchRecord& record) {
  if (!record.host.empty()) totals_.hosts.insert(record.host);
  for (const std::string& request : record.requests) {
    if (record.is_open() && !has_sent(request)) batched_.insert(request);
  }
  for (BatchRecord& known : batches_) {
    if (known.token != record.token) continue;
    known.state = record.state;
    if (!record.id.empty()) known.id = record.id;
    return;
  }
  batches_.push_back(record);
}

Outcome Journal::append(const BatchRecord& record) {
  const std::string line = batch_line(record);
  FIDUCIAL_TRY_DONE(write_.write(as_bytes(line)).in_file(file_.string()));
  end_ += line.size();
  remember(record);
  unflushed_ += 1;
  return flush(true);
}

Outcome Journal::flush(bool at_once) {
  constexpr std::size_t most_lines = 64;
  constexpr std::chrono::milliseconds longest{200};
  if (at_once) FIDUCIAL_TRY_DONE(flush_->finish().in_file(file_.string()));
  if (unflushed_ == 0) return done();
  const bool is_due =
      unflushed_ >= most_lines || std::chrono::steady_clock::now() - oldest_unflushed_ >= longest;
  if (!at_once && !is_due) return done();
  if (at_once) {
    unflushed_ = 0;
    return write_.flush().in_file(file_.string());
  }
  FIDUCIAL_TRY(const bool began, flush_->begin().in_file(file_.string()));
  if (began) unflushed_ = 0;
  return done();
}

}  // namespace fiducial
