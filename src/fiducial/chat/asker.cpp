#include "fiducial/chat/asker.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <unordered_map>

#include "fiducial/base/interruption.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/chat/utc_time.h"
#include "fiducial/chat/wished_pause.h"

namespace fiducial {

// A question that has no reply yet.
struct PendingQuestion {
  std::vector<Inquiry::Ticket> tickets;  // equal questions share one reply
  ChatQuestion question;
  std::string hash;
  std::int64_t attempt = 0;
  std::chrono::steady_clock::time_point due;
  std::chrono::steady_clock::time_point sent_at;
  std::string started;
  TokenEstimate estimate;
  double reserved = 0;
  std::vector<std::string> dropped;
};

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds longest_sleep{200};  // a wish to stop is heard that soon
constexpr Milliseconds longest_wish{600'000};

// Waits double from half a second to a minute, and are spread so that requests do not come back together.
Milliseconds backoff(const PendingQuestion& pending) {
  const double longest = std::min(60'000.0, 500.0 * std::pow(2.0, static_cast<double>(pending.attempt - 1)));
  const auto spread =
      static_cast<unsigned char>(pending.hash[static_cast<std::size_t>(pending.attempt) % 64]);
  return Milliseconds(static_cast<std::int64_t>(longest * (0.5 + 0.5 * (spread % 16) / 15.0)));
}

}  // namespace

ChatRequest without_parameters(ChatRequest request, const std::vector<std::string>& dropped) {
  for (const std::string& name : dropped) {
    if (name == "schema") request.schema = Json();
    Json kept = Json::Object{};
    for (const auto& [key, value] : *request.parameters.as_object()) {
      if (key != name) kept.set(key, value);
    }
    request.parameters = std::move(kept);
  }
  return request;
}

namespace {

// A request that asks for its reply piece by piece, which is no other question.
ChatRequest streamed(ChatRequest request, const Vendor& vendor) {
  const Json* given = request.parameters.find("extra");
  Json extra = given == nullptr ? Json(Json::Object{}) : *given;
  for (const auto& [name, value] : *vendor.streaming.as_object()) extra.set(name, value);
  request.parameters.set("extra", std::move(extra));
  return request;
}

}  // namespace

class Asker::Loop {
 public:
  Loop(AskSettings settings, ImageBytes images, Journal& journal, AskWatcher& watcher)
      : settings_(std::move(settings)),
        images_(std::move(images)),
        journal_(journal),
        watcher_(watcher),
        gate_(settings_.gate, Clock::now()) {
    count_spending();
  }

  Outcome run(Inquiry& inquiry);
  const AskState& state() const { return state_; }

 private:
  Outcome fill(Inquiry& inquiry);
  Outcome admit(Inquiry& inquiry);
  Outcome take(Inquiry& inquiry, Inquiry::Asked asked);
  Outcome send_due();
  Outcome send(const std::string& hash);
  Outcome heard(Inquiry& inquiry, const HttpReply& reply);
  Outcome understood(Inquiry& inquiry, const HttpReply& reply, PendingQuestion& pending);
  Outcome suffered(Inquiry& inquiry, const HttpReply& reply, PendingQuestion& pending);
  Outcome suffer(Inquiry& inquiry, const Trouble& trouble, PendingQuestion& pending);
  Outcome deliver(Inquiry& inquiry, const std::string& hash, const Heard& heard);
  Outcome note(const PendingQuestion& pending, const HttpReply& reply, std::optional<ChatReply> answer,
               const std::string& error);
  void count_spending();
  void obey(const HttpReply& reply, PendingQuestion& pending, bool is_throttled);
  void stop(ErrorCode code, const std::string& message);
  void tell();
  Milliseconds sleep_time() const;

  AskSettings settings_;
  ImageBytes images_;
  Journal& journal_;
  AskWatcher& watcher_;
  SendGate gate_;
  std::optional<HttpClient> client_;
  std::unordered_map<std::string, PendingQuestion> pending_;  // by hash
  std::multimap<Clock::time_point, std::string> due_;         // hashes of those that are not on their way
  std::unordered_map<std::uint64_t, std::string> sent_;
  std::uint64_t next_id_ = 0;
  bool has_more_ = true;
  Clock::time_point began_ = Clock::now();
  double reserved_ = 0;
  std::optional<Error> stopped_;
  AskState state_;
};

void Asker::Loop::count_spending() {
  state_.usage = journal_.totals().usage;
  state_.cost = settings_.price ? journal_.totals().cost(*settings_.price) : 0;
}

void Asker::Loop::tell() {
  state_.in_flight = sent_.size();
  state_.limit = gate_.limit();
  watcher_.changed(state_);
}

void Asker::Loop::stop(ErrorCode code, const std::string& message) {
  if (!stopped_) stopped_ = Error(code, message);
}

Outcome Asker::Loop::run(Inquiry& inquiry) {
  state_.items = inquiry.extent();
  while (true) {
    if (stop_requested()) stop(ErrorCode::interrupted, "stopped; the same command goes on");
    if (!stopped_) {
      FIDUCIAL_TRY_DONE(fill(inquiry));
    }
    if (sent_.empty() && (stopped_ || (due_.empty() && !has_more_))) break;
    if (client_) {
      FIDUCIAL_TRY(const std::vector<HttpReply> replies, client_->wait(sleep_time()));
      for (const HttpReply& reply : replies) FIDUCIAL_TRY_DONE(heard(inquiry, reply));
      has_more_ = has_more_ || !replies.empty();
    }
    FIDUCIAL_TRY_DONE(journal_.flush(false));
    tell();
  }
  FIDUCIAL_TRY_DONE(journal_.flush(true));
  if (stopped_) return *stopped_;
  return done();
}

// Takes questions and sends them until the gate is shut.
Outcome Asker::Loop::fill(Inquiry& inquiry) {
  std::size_t before = 0;
  do {
    before = sent_.size();
    FIDUCIAL_TRY_DONE(admit(inquiry));
    FIDUCIAL_TRY_DONE(send_due());
  } while (sent_.size() > before && !stop_requested());
  return done();
}

// Takes questions until one could be sent now.
Outcome Asker::Loop::admit(Inquiry& inquiry) {
  const Clock::time_point now = Clock::now();
  while (has_more_ && (due_.empty() || due_.begin()->first > now) && !stop_requested()) {
    FIDUCIAL_TRY(std::optional<Inquiry::Asked> asked, inquiry.next());
    if (!asked) {
      has_more_ = false;
      break;
    }
    FIDUCIAL_TRY_DONE(take(inquiry, *std::move(asked)));
  }
  return done();
}

Outcome Asker::Loop::take(Inquiry& inquiry, Inquiry::Asked asked) {
  std::string hash = asked.question.request.hash();
  FIDUCIAL_TRY(std::optional<ChatReply> known, journal_.find(hash));
  if (known) {
    ++state_.known;
    FIDUCIAL_TRY_DONE(inquiry.hear(asked.ticket, {.reply = std::move(known), .error = {}}));
    state_.items = inquiry.extent();
    return done();
  }
  PendingQuestion& pending = pending_[hash];
  pending.tickets.push_back(asked.ticket);
  if (pending.tickets.size() > 1) return done();
  const std::int64_t image_tokens = settings_.price ? settings_.price->image_tokens : Price{}.image_tokens;
  pending.estimate = estimated_tokens(asked.question.request, image_tokens);
  pending.question = std::move(asked.question);
  pending.hash = hash;
  pending.due = Clock::time_point{};  // before any that waits
  if (settings_.price) pending.reserved = settings_.price->of(pending.estimate.usage());
  due_.emplace(pending.due, std::move(hash));
  return done();
}

Outcome Asker::Loop::send_due() {
  while (!due_.empty() && !stopped_) {
    const Clock::time_point now = Clock::now();
    if (settings_.deadline && now - began_ >= *settings_.deadline) {
      stop(ErrorCode::unfinished, "the time of --deadline-s is over; the same command goes on");
      return done();
    }
    const auto first = due_.begin();
    if (first->first > now) return done();
    const PendingQuestion& pending = pending_.at(first->second);
    if (gate_.may_send(now, sent_.size(), pending.estimate.all()) > now) return done();
    if (settings_.max_cost && state_.cost + reserved_ + pending.reserved > *settings_.max_cost) {
      stop(ErrorCode::unfinished, "the next request might cost " + fixed(pending.reserved, 4) + " and " +
                                      fixed(state_.cost, 4) + " of " + fixed(*settings_.max_cost, 4) +
                                      " is spent; a higher --max-cost goes on");
      return done();
    }
    const std::string hash = first->second;
    due_.erase(first);
    FIDUCIAL_TRY_DONE(send(hash));
    if (due_.empty()) return done();
  }
  return done();
}

Outcome Asker::Loop::send(const std::string& hash) {
  if (!client_) {
    FIDUCIAL_TRY(HttpClient client, HttpClient::make(settings_.http));
    client_.emplace(std::move(client));
  }
  PendingQuestion& pending = pending_.at(hash);
  ChatRequest request = without_parameters(pending.question.request, pending.dropped);
  if (settings_.streams) request = streamed(std::move(request), *settings_.vendor);
  FIDUCIAL_TRY(std::string body, settings_.vendor->body(request, images_));
  ++pending.attempt;
  pending.sent_at = Clock::now();
  pending.started = utc_now();
  reserved_ += pending.reserved;
  gate_.sent(pending.estimate.all());
  const std::uint64_t id = next_id_++;
  sent_.emplace(id, hash);
  return client_->post({.id = id,
                        .url = settings_.endpoint.base() + settings_.vendor->path(request),
                        .headers = settings_.vendor->headers(settings_.key),
                        .body = std::move(body)});
}

Outcome Asker::Loop::note(const PendingQuestion& pending, const HttpReply& reply,
                          std::optional<ChatReply> answer, const std::string& error) {
  // Whoever began to answer, or was not waited for, may charge for it.
  const bool may_be_owed = reply.status / 100 == 2 || reply.failure == HttpReply::Failure::timeout;
  const bool is_counted = answer && answer->usage.is_known();
  FIDUCIAL_TRY_DONE(
      journal_.append({.request = pending.hash,
                       .item = pending.question.item,
                       .step = pending.question.step,
                       .ask = pending.question.ask,
                       .attempt = pending.attempt,
                       .started = pending.started,
                       .seconds = std::round(reply.seconds * 1000) / 1000,
                       .status = reply.status,
                       .reply = std::move(answer),
                       .error = error,
                       .dropped = pending.dropped,
                       .estimated = may_be_owed && !is_counted ? pending.estimate.usage() : TokenUsage{},
                       .host = settings_.endpoint.remote_host()}));
  count_spending();
  return done();
}

Outcome Asker::Loop::heard(Inquiry& inquiry, const HttpReply& reply) {
  const auto sent = sent_.find(reply.id);
  PendingQuestion& pending = pending_.at(sent->second);
  sent_.erase(sent);
  reserved_ -= pending.reserved;
  if (reply.failure == HttpReply::Failure::none && reply.status / 100 == 2)
    return understood(inquiry, reply, pending);
  return suffered(inquiry, reply, pending);
}

Outcome Asker::Loop::understood(Inquiry& inquiry, const HttpReply& reply, PendingQuestion& pending) {
  Result<Json> document = parse_reply_body(reply.body);
  if (document.ok()) {
    if (const auto error = error_in(reply, *document)) return suffered(inquiry, *error, pending);
  }
  obey(reply, pending, false);
  Result<ChatReply> answer = document.ok() ? settings_.vendor->reply(*document) : std::move(document).error();
  if (!answer.ok()) {
    const std::string problem = "the endpoint's reply cannot be read: " + answer.error().message();
    FIDUCIAL_TRY_DONE(note(pending, reply, std::nullopt, problem));
    return suffer(inquiry, {.remedy = Remedy::retry, .message = problem}, pending);
  }
  hide_secret(answer->text, settings_.http.secret);  // which may have come in pieces
  FIDUCIAL_TRY_DONE(note(pending, reply, *answer, ""));
  ++state_.answered;
  return deliver(inquiry, pending.hash, {.reply = *std::move(answer), .error = {}});
}

Outcome Asker::Loop::suffered(Inquiry& inquiry, const HttpReply& reply, PendingQuestion& pending) {
  const Trouble trouble =
      trouble_of(reply, settings_, without_parameters(pending.question.request, pending.dropped));
  obey(reply, pending, trouble.is_throttled);
  FIDUCIAL_TRY_DONE(note(pending, reply, std::nullopt, trouble.message));
  const bool is_out_of_reach = reply.failure == HttpReply::Failure::unreachable;
  if (is_out_of_reach && pending.attempt >= settings_.most_attempts)
    return suffer(inquiry, {.remedy = Remedy::stop, .message = trouble.message}, pending);
  return suffer(inquiry, trouble, pending);
}

Outcome Asker::Loop::suffer(Inquiry& inquiry, const Trouble& trouble, PendingQuestion& pending) {
  const auto again_at = [&](Clock::time_point when) {
    pending.due = std::max(pending.due, when);
    due_.emplace(pending.due, pending.hash);
  };
  if (trouble.remedy == Remedy::stop) {
    stop(ErrorCode::remote, trouble.message);
    return done();
  }
  if (trouble.remedy == Remedy::drop_parameter) {
    pending.dropped.push_back(trouble.parameter);
    again_at(Clock::now());
    return done();
  }
  // Who is throttled is not at fault: such attempts count a third.
  const std::int64_t most = trouble.is_throttled ? settings_.most_attempts * 3 : settings_.most_attempts;
  if (trouble.remedy == Remedy::retry && pending.attempt < most) {
    again_at(Clock::now() + backoff(pending));
    return done();
  }
  ++state_.failed;
  if (state_.failed > settings_.allowed_failures)
    stop(ErrorCode::too_many_failures,
         decimal(state_.failed) + " questions have no reply, the last one because: " + trouble.message);
  return deliver(inquiry, pending.hash, {.reply = {}, .error = trouble.message});
}

Outcome Asker::Loop::deliver(Inquiry& inquiry, const std::string& hash, const Heard& heard) {
  const auto found = pending_.find(hash);
  const std::vector<Inquiry::Ticket> tickets = std::move(found->second.tickets);
  pending_.erase(found);
  for (const Inquiry::Ticket ticket : tickets) FIDUCIAL_TRY_DONE(inquiry.hear(ticket, heard));
  state_.items = inquiry.extent();
  return done();
}

// Slows down as the endpoint wishes.
void Asker::Loop::obey(const HttpReply& reply, PendingQuestion& pending, bool is_throttled) {
  const Clock::time_point now = Clock::now();
  gate_.answered(pending.sent_at, now, is_throttled);
  const auto wish = wished_pause(reply, unix_seconds_now());
  if (!wish) return;
  if (*wish > longest_wish) {
    stop(ErrorCode::remote,
         "the endpoint asks to wait " + decimal(wish->count() / 1000) + " s; the same command goes on then");
    return;
  }
  gate_.pause_until(now + *wish);
  pending.due = now + *wish;
}

Milliseconds Asker::Loop::sleep_time() const {
  Milliseconds out = longest_sleep;
  if (due_.empty()) return out;
  const auto left = std::chrono::ceil<Milliseconds>(due_.begin()->first - Clock::now());
  // What is due already waits for the gate, which a reply or a few milliseconds open.
  if (left.count() <= 0) return sent_.empty() ? Milliseconds(5) : Milliseconds(20);
  return std::min(out, left);
}

Asker::Asker(AskSettings settings, ImageBytes images, Journal& journal, AskWatcher& watcher)
    : loop_(std::make_unique<Loop>(std::move(settings), std::move(images), journal, watcher)) {}
Asker::~Asker() = default;

Outcome Asker::ask(Inquiry& inquiry) { return loop_->run(inquiry); }
const AskState& Asker::state() const { return loop_->state(); }

}  // namespace fiducial
