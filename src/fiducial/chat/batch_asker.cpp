#include "fiducial/chat/batch_asker.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/chat/endpoint_calls.h"
#include "fiducial/chat/utc_time.h"

namespace fiducial {

// A question that has no reply yet, whether it is part of a batch or waits for one.
struct BatchQuestion {
  std::vector<Inquiry::Ticket> tickets;  // equal questions share one reply
  ChatQuestion question;
  std::int64_t attempt = 0;
  TokenEstimate estimate;
  double reserved = 0;
  std::vector<std::string> dropped;
};

class BatchAsker::Loop {
 public:
  Loop(AskSettings settings, ImageBytes images, Journal& journal, AskWatcher& watcher)
      : settings_(std::move(settings)),
        language_(settings_.vendor->batches()),
        images_(std::move(images)),
        journal_(journal),
        watcher_(watcher) {
    count_spending();
  }

  Outcome run(Inquiry& inquiry);
  const AskState& state() const { return state_; }

 private:
  using Pending = std::map<std::string, BatchQuestion>;  // by the hash of the request

  Outcome admit(Inquiry& inquiry);
  std::vector<BatchRecord> open_batches() const;
  Outcome find_lost();
  Outcome submit();
  Result<BatchSubmission> next_submission(const std::set<std::string>& out);
  Outcome hand_in(const BatchSubmission& submission);
  Result<std::optional<std::string>> created(const BatchSubmission& submission, const std::string& file_id);
  Result<std::optional<std::string>> found(const BatchRecord& record);
  Outcome collect(Inquiry& inquiry);
  Outcome take_results(Inquiry& inquiry, const BatchRecord& record, const BatchStatus& status);
  Outcome hear(Inquiry& inquiry, const BatchRecord& record, const BatchResult& result);
  Outcome answered(Inquiry& inquiry, const JournalEntry& entry, Pending::iterator pending);
  Outcome suffer(Inquiry& inquiry, const Trouble& trouble, Pending::iterator pending);
  Outcome deliver(Inquiry& inquiry, Pending::iterator pending, const Heard& heard);
  void stop(ErrorCode code, const std::string& message);
  void count_spending();
  void tell(const Inquiry& inquiry);

  AskSettings settings_;
  const BatchLanguage& language_;
  ImageBytes images_;
  Journal& journal_;
  AskWatcher& watcher_;
  std::optional<EndpointCalls> calls_;
  Pending pending_;
  std::optional<Error> stopped_;
  AskState state_;
};

void BatchAsker::Loop::count_spending() {
  state_.usage = journal_.totals().usage;
  state_.cost = settings_.price ? journal_.totals().cost(*settings_.price) : 0;
}

void BatchAsker::Loop::stop(ErrorCode code, const std::string& message) {
  if (!stopped_) stopped_ = Error(code, message);
}

void BatchAsker::Loop::tell(const Inquiry& inquiry) {
  state_.items = inquiry.extent();
  state_.in_flight = pending_.size();
  watcher_.changed(state_);
}

std::vector<BatchRecord> BatchAsker::Loop::open_batches() const {
  std::vector<BatchRecord> out;
  for (const BatchRecord& record : journal_.batches()) {
    if (record.is_open()) out.push_back(record);
  }
  return out;
}

Outcome BatchAsker::Loop::run(Inquiry& inquiry) {
  FIDUCIAL_TRY(EndpointCalls calls, EndpointCalls::open(settings_));
  calls_.emplace(std::move(calls));
  FIDUCIAL_TRY_DONE(find_lost());
  while (true) {
    FIDUCIAL_TRY_DONE(admit(inquiry));
    if (pending_.empty() && open_batches().empty()) return journal_.flush(true);
    FIDUCIAL_TRY_DONE(submit());
    tell(inquiry);
    FIDUCIAL_TRY_DONE(collect(inquiry));
  }
}

// Takes every question that can be asked now; what the journal answers is heard at once.
Outcome BatchAsker::Loop::admit(Inquiry& inquiry) {
  while (!stop_requested()) {
    FIDUCIAL_TRY(std::optional<Inquiry::Asked> asked, inquiry.next());
    if (!asked) return done();
    const std::string hash = asked->question.request.hash();
    FIDUCIAL_TRY(std::optional<ChatReply> known, journal_.find(hash));
    if (known) {
      ++state_.known;
      FIDUCIAL_TRY_DONE(inquiry.hear(asked->ticket, {.reply = std::move(known), .error = {}}));
      continue;
    }
    BatchQuestion& question = pending_[hash];
    question.tickets.push_back(asked->ticket);
    if (question.tickets.size() > 1) continue;
    const std::int64_t image_tokens = settings_.price ? settings_.price->image_tokens : Price{}.image_tokens;
    question.estimate = estimated_tokens(asked->question.request, image_tokens);
    if (settings_.price)
      question.reserved = settings_.price->batch * settings_.price->of(question.estimate.usage());
    question.question = std::move(asked->question);
  }
  return Error(ErrorCode::interrupted, "stopped; the same command goes on");
}

// The batch of a token among those of the account, by its id; nothing where it was never handed in.
Result<std::optional<std::string>> BatchAsker::Loop::found(const BatchRecord& record) {
  FIDUCIAL_TRY(const std::string text, calls_->again_and_again(language_.list()));
  FIDUCIAL_TRY(const Json listing, parse_json(text));
  std::vector<std::string> ids = language_.find(
      listing, {.token = record.token, .since = record.started, .requests = record.requests.size()});
  std::erase_if(ids, [this](const std::string& id) {
    return std::any_of(journal_.batches().begin(), journal_.batches().end(),
                       [&id](const BatchRecord& known) { return known.id == id; });
  });
  if (ids.size() > 1)
    return Error(
        ErrorCode::remote,
        "a batch was handed in before its id could be noted, and several of the account may be it: " +
            ids[0] + ", " + ids[1]);
  if (ids.empty()) return std::optional<std::string>();
  FIDUCIAL_TRY(std::string id, safe_batch_id(ids.front()));
  return std::optional(std::move(id));
}

// A run that was killed while it handed in a batch does not know whether the endpoint has it.
Outcome BatchAsker::Loop::find_lost() {
  for (BatchRecord record : open_batches()) {
    if (record.state != BatchRecord::State::intended) continue;
    FIDUCIAL_TRY(const std::optional<std::string> id, found(record));
    record.state = id ? BatchRecord::State::submitted : BatchRecord::State::ended;
    record.id = id.value_or("");
    FIDUCIAL_TRY_DONE(journal_.append(record));
  }
  return done();
}

// Hands in what is part of no batch yet.
Outcome BatchAsker::Loop::submit() {
  while (true) {
    std::set<std::string> out;
    for (const BatchRecord& record : open_batches())
      out.insert(record.requests.begin(), record.requests.end());
    FIDUCIAL_TRY(const BatchSubmission submission, next_submission(out));
    if (submission.items.empty()) return done();
    FIDUCIAL_TRY_DONE(hand_in(submission));
  }
}

// As many questions as go into one batch and may be paid for.
Result<BatchSubmission> BatchAsker::Loop::next_submission(const std::set<std::string>& out) {
  BatchSubmission next{.model = {}};
  double reserved = 0;
  for (const auto& [hash, question] : pending_) reserved += out.contains(hash) ? question.reserved : 0;
  std::size_t bytes = 0;
  bool is_too_dear = false;
  for (auto& [hash, question] : pending_) {
    if (out.contains(hash)) continue;
    is_too_dear = settings_.max_cost && state_.cost + reserved + question.reserved > *settings_.max_cost;
    if (is_too_dear || next.items.size() == language_.most_requests) break;
    const ChatRequest request = without_parameters(question.question.request, question.dropped);
    FIDUCIAL_TRY(std::string body, settings_.vendor->body(request, images_));
    constexpr std::size_t around = 256;  // bytes of a line beside its body
    if (!next.items.empty() && bytes + body.size() + around > language_.most_bytes) break;
    bytes += body.size() + around;
    reserved += question.reserved;
    next.model = request.model;
    next.path = settings_.vendor->path(request);
    next.items.push_back({.id = hash, .body = std::move(body)});
  }
  if (next.items.empty() && is_too_dear && out.empty())
    return Error(ErrorCode::unfinished, "the next request might cost too much and " + fixed(state_.cost, 4) +
                                            " of " + fixed(*settings_.max_cost, 4) +
                                            " is spent; a higher --max-cost goes on");
  std::string all = utc_now();
  for (const BatchSubmission::Item& item : next.items) all += item.id;
  constexpr std::size_t token_letters = 32;
  next.token = sha256(as_bytes(all)).hex().substr(0, token_letters);
  return next;
}

Outcome BatchAsker::Loop::hand_in(const BatchSubmission& submission) {
  std::string file_id;
  if (const auto upload = language_.upload(submission)) {
    FIDUCIAL_TRY(const std::string text, calls_->again_and_again(*upload));
    FIDUCIAL_TRY(const Json document, parse_json(text));
    FIDUCIAL_TRY(file_id, language_.id(document));
  }
  BatchRecord record{
      .token = submission.token, .started = utc_now(), .host = settings_.endpoint.remote_host()};
  for (const BatchSubmission::Item& item : submission.items) {
    record.requests.push_back(item.id);
    BatchQuestion& pending = pending_.at(item.id);
    ++pending.attempt;
    if (!pending.dropped.empty()) record.dropped.emplace(item.id, pending.dropped);
  }
  FIDUCIAL_TRY_DONE(journal_.append(record));
  for (std::int64_t attempt = 1;; ++attempt) {
    FIDUCIAL_TRY(std::optional<std::string> id, created(submission, file_id));
    // Whether the endpoint has it is not known where its reply was lost.
    if (!id) {
      FIDUCIAL_TRY(id, found(record));
    }
    if (id) {
      record.id = *id;
      record.state = BatchRecord::State::submitted;
      return journal_.append(record);
    }
    if (attempt >= settings_.most_attempts)
      return Error(ErrorCode::remote, "the endpoint takes no batch; the same command goes on");
    FIDUCIAL_TRY_DONE(
        calls_->pause(std::chrono::milliseconds(500) * (1LL << std::min<std::int64_t>(attempt, 6))));
  }
}

// The id of the batch; nothing where the endpoint is busy or its reply was lost.
Result<std::optional<std::string>> BatchAsker::Loop::created(const BatchSubmission& submission,
                                                             const std::string& file_id) {
  FIDUCIAL_TRY(const HttpReply reply, calls_->once(language_.create(submission, file_id)));
  if (reply.failure == HttpReply::Failure::none && reply.status == 200) {
    FIDUCIAL_TRY(const Json document, parse_json(reply.body));
    FIDUCIAL_TRY(std::string id, language_.id(document));
    return std::optional(std::move(id));
  }
  const Trouble trouble = trouble_of(reply, settings_, ChatRequest{.model = submission.model});
  if (trouble.remedy == Remedy::retry) return std::optional<std::string>();
  FIDUCIAL_TRY_DONE(
      journal_.append(BatchRecord{.token = submission.token, .state = BatchRecord::State::ended}));
  return Error(ErrorCode::remote, "the endpoint refuses the batch: " + trouble.message);
}

// Waits until a batch has ended, and takes what came of it.
Outcome BatchAsker::Loop::collect(Inquiry& inquiry) {
  while (!open_batches().empty()) {
    bool has_ended = false;
    for (const BatchRecord& record : open_batches()) {
      FIDUCIAL_TRY(const std::string text, calls_->again_and_again(language_.ask(record.id)));
      FIDUCIAL_TRY(const Json document, parse_json(text));
      FIDUCIAL_TRY(const BatchStatus status, language_.status(record.id, document));
      if (status.phase == BatchStatus::Phase::running) continue;
      has_ended = true;
      FIDUCIAL_TRY_DONE(take_results(inquiry, record, status));
    }
    if (has_ended) return done();
    tell(inquiry);
    FIDUCIAL_TRY_DONE(calls_->pause(settings_.batch_poll));
  }
  return done();
}

Outcome BatchAsker::Loop::take_results(Inquiry& inquiry, const BatchRecord& record,
                                       const BatchStatus& status) {
  std::set<std::string> silent(record.requests.begin(), record.requests.end());
  for (const BatchCall& call : status.results) {
    FIDUCIAL_TRY(const std::string text, calls_->again_and_again(call));
    FIDUCIAL_TRY(const std::vector<BatchResult> results, language_.results(text));
    for (const BatchResult& result : results) {
      if (silent.erase(result.id) == 0) continue;  // asked by nobody, or told twice
      FIDUCIAL_TRY_DONE(hear(inquiry, record, result));
    }
  }
  const std::string problem = status.problem.empty() ? "the batch ended without it" : status.problem;
  for (const std::string& hash : silent)
    FIDUCIAL_TRY_DONE(hear(inquiry, record, {.id = hash, .problem = problem}));
  BatchRecord ended = record;
  ended.state = BatchRecord::State::ended;
  FIDUCIAL_TRY_DONE(journal_.append(ended));
  // Not before: the replies behind the one that stops the run are paid for, too.
  if (stopped_) return *stopped_;
  return done();
}

Outcome BatchAsker::Loop::hear(Inquiry& inquiry, const BatchRecord& record, const BatchResult& result) {
  FIDUCIAL_TRY(const std::optional<ChatReply> known, journal_.find(result.id));
  if (known) return done();  // of a run that was killed while it took results
  const auto pending = pending_.find(result.id);
  JournalEntry entry{.request = result.id,
                     .started = record.started,
                     .status = result.status,
                     .batch = record.id,
                     .host = record.host};
  if (pending != pending_.end()) {
    entry.item = pending->second.question.item;
    entry.step = pending->second.question.step;
    entry.ask = pending->second.question.ask;
    entry.attempt = std::max<std::int64_t>(1, pending->second.attempt);
  }
  if (const auto dropped = record.dropped.find(result.id); dropped != record.dropped.end())
    entry.dropped = dropped->second;
  Trouble trouble{.remedy = Remedy::retry, .message = result.problem};
  if (result.status == 200) {
    Result<Json> document = parse_reply_body(result.body);
    Result<ChatReply> answer =
        document.ok() ? settings_.vendor->reply(*document) : std::move(document).error();
    const bool is_counted = answer.ok() && answer->usage.is_known();
    if (!is_counted && pending != pending_.end()) entry.estimated = pending->second.estimate.usage();
    if (answer.ok()) {
      entry.reply = *std::move(answer);
      return answered(inquiry, entry, pending);
    }
    trouble.message = "the endpoint's reply cannot be read: " + answer.error().message();
  } else if (result.status != 0) {
    HttpReply reply;
    reply.status = result.status;
    reply.body = result.body;
    const bool is_ours = pending != pending_.end();
    trouble = trouble_of(
        reply, settings_,
        is_ours ? without_parameters(pending->second.question.request, entry.dropped) : ChatRequest{});
  }
  entry.error = trouble.message.empty() ? "no reason is given" : trouble.message;
  FIDUCIAL_TRY_DONE(journal_.append(entry));
  return pending == pending_.end() ? done() : suffer(inquiry, trouble, pending);
}

Outcome BatchAsker::Loop::answered(Inquiry& inquiry, const JournalEntry& entry, Pending::iterator pending) {
  FIDUCIAL_TRY_DONE(journal_.append(entry));
  count_spending();
  if (pending == pending_.end()) return done();
  ++state_.answered;
  return deliver(inquiry, pending, {.reply = entry.reply, .error = {}});
}

Outcome BatchAsker::Loop::suffer(Inquiry& inquiry, const Trouble& trouble, Pending::iterator pending) {
  if (trouble.remedy == Remedy::stop) {
    stop(ErrorCode::remote, trouble.message);
    return done();
  }
  if (trouble.remedy == Remedy::drop_parameter) {
    pending->second.dropped.push_back(trouble.parameter);
    return done();  // it goes with the next batch
  }
  if (trouble.remedy == Remedy::retry && pending->second.attempt < settings_.most_attempts) return done();
  ++state_.failed;
  const std::string message = trouble.message;
  if (state_.failed > settings_.allowed_failures)
    stop(ErrorCode::too_many_failures,
         decimal(state_.failed) + " questions have no reply, the last one because: " + message);
  return deliver(inquiry, pending, {.reply = {}, .error = message});
}

Outcome BatchAsker::Loop::deliver(Inquiry& inquiry, Pending::iterator pending, const Heard& heard) {
  const std::vector<Inquiry::Ticket> tickets = std::move(pending->second.tickets);
  pending_.erase(pending);
  for (const Inquiry::Ticket ticket : tickets) FIDUCIAL_TRY_DONE(inquiry.hear(ticket, heard));
  return done();
}

BatchAsker::BatchAsker(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
BatchAsker::~BatchAsker() = default;

Result<std::unique_ptr<BatchAsker>> BatchAsker::make(AskSettings settings, ImageBytes images,
                                                     Journal& journal, AskWatcher& watcher) {
  if (settings.vendor->batches == nullptr)
    return bad_usage("--batch: endpoints that speak " + settings.vendor->id +
                     " take none; openai, responses, anthropic and gemini do (--vendor)");
  auto loop = std::make_unique<Loop>(std::move(settings), std::move(images), journal, watcher);
  return std::unique_ptr<BatchAsker>(new BatchAsker(std::move(loop)));
}

Outcome BatchAsker::ask(Inquiry& inquiry) { return loop_->run(inquiry); }
const AskState& BatchAsker::state() const { return loop_->state(); }

}  // namespace fiducial
