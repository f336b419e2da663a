#include "fiducial/workflows/answer_requests.h"

#include <deque>
#include <map>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/json_fields.h"
#include "fiducial/base/line_reader.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/dataset_terms.h"
#include "fiducial/workflows/exchange.h"

namespace fiducial {

namespace {

constexpr std::size_t longest_request = std::size_t{64} << 20;

Result<ChatQuestion> question_of(const Json& line, const RunRequest& request) {
  FIDUCIAL_TRY(const std::string hash, required_string(line, "request", ""));
  FIDUCIAL_TRY(const Json* ask, required_field(line, "ask", ""));
  FIDUCIAL_TRY(const std::string user, required_string(*ask, "user", "/ask"));
  if (sha256(as_bytes(ask->compact())).hex() != hash)
    return Error(ErrorCode::integrity, "the request is not what its hash says");
  if (text_at(*ask, "model") != request.model)
    return bad_usage("the request is for the model \"" + text_at(*ask, "model") + "\", not for \"" +
                     request.model + "\"; give curate the same --model");
  ChatRequest out{.model = request.model, .parameters = request.parameters};
  const std::string system = text_at(*ask, "system");
  if (!system.empty())
    out.messages.push_back({.role = ChatMessage::Role::system, .parts = {{.text = system, .image = {}}}});
  out.messages.push_back({.role = ChatMessage::Role::user, .parts = {{.text = user, .image = {}}}});
  const Json* schema = ask->find("schema");
  if (schema != nullptr && request.with_schema) out.schema = *schema;
  return ChatQuestion{
      .item = text_at(line, "item"), .step = text_at(*ask, "prompt"), .request = std::move(out), .ask = hash};
}

// The requests of a file, one by one; a reply of another form than its schema is asked for again.
class RequestFile final : public Inquiry {
 public:
  static Result<std::unique_ptr<RequestFile>> open(const RunRequest& request) {
    FIDUCIAL_TRY(std::unique_ptr<FileStream> file, FileStream::open(request.dataset));
    FIDUCIAL_TRY(PromptSet words, PromptSet::load({"ask_again"}, ""));
    return std::make_unique<RequestFile>(request, std::move(file), std::move(words));
  }
  RequestFile(const RunRequest& request, std::unique_ptr<FileStream> file, PromptSet words)
      : request_(request),
        file_(std::move(file)),
        lines_(*file_, longest_request),
        words_(std::move(words)) {}

  Result<std::optional<Asked>> next() override {
    if (!again_.empty()) {
      const Ticket ticket = again_.front();
      again_.pop_front();
      Open& open = open_.at(ticket);
      open.question.request = *open.exchange.take_request();
      return std::optional(Asked{.ticket = ticket, .question = open.question});
    }
    while (true) {
      Result<std::optional<std::string_view>> line = lines_.next();
      if (!line.ok()) return std::move(line).error().in_file(request_.dataset.string());
      if (!*line || (request_.limit && count >= *request_.limit)) return std::optional<Asked>();
      if (is_blank(**line)) continue;
      const Place place{.path = request_.dataset.string(), .line = lines_.number()};
      const Result<Json> parsed = parse_json(**line);
      Result<ChatQuestion> question = parsed.ok() ? question_of(*parsed, request_) : parsed.error();
      if (!question.ok()) return question.error().at(place);
      const auto ticket = static_cast<Ticket>(count++);
      Open open{*question, Exchange(question->step, question->request, request_.re_asks)};
      open.exchange.take_request();
      open_.emplace(ticket, std::move(open));
      return std::optional(Asked{.ticket = ticket, .question = *std::move(question)});
    }
  }

  Outcome hear(Ticket ticket, const Heard& heard) override {
    const auto open = open_.find(ticket);
    open->second.exchange.hear(heard, words_.at("ask_again"));
    if (!open->second.exchange.is_finished()) {
      again_.push_back(ticket);
      return done();
    }
    open_.erase(open);
    ++(heard.reply ? answered : failed);
    return done();
  }

  std::int64_t count = 0;
  std::int64_t answered = 0;
  std::int64_t failed = 0;

 private:
  struct Open {
    ChatQuestion question;
    Exchange exchange;
  };

  const RunRequest& request_;
  std::unique_ptr<FileStream> file_;
  LineReader lines_;
  PromptSet words_;
  std::map<Ticket, Open> open_;
  std::deque<Ticket> again_;
};

Json plan_of(const RunRequest& request, const Vendor& vendor, const std::string& sha256) {
  return Json::object({{"workflow", request.stage_input.empty() ? "requests" : request.workflow},
                       {"sha256", sha256},
                       {"model", request.model},
                       {"vendor", vendor.id},
                       {"parameters", request.parameters},
                       {"schema_sent", request.with_schema}});
}

Json egress_of_requests(const Journal& journal) {
  const std::set<std::string>& hosts = journal.totals().hosts;
  const auto requests = hosts.empty() ? 0 : static_cast<std::int64_t>(journal.sent());
  return Json::object(
      {{"left_this_machine", !hosts.empty()}, {"hosts", Json::strings(hosts)}, {"requests", requests}});
}

// Refuses requests of which one may not leave this machine, before any of them does.
Outcome allow_requests(const Path& file, const Endpoint& endpoint) {
  if (endpoint.is_loopback()) return done();
  FIDUCIAL_TRY(const std::unique_ptr<FileStream> opened, FileStream::open(file));
  LineReader lines(*opened, longest_request);
  while (true) {
    Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return std::move(line).error().in_file(file.string());
    if (!*line) return done();
    if ((**line).find("\"stays\"") == std::string_view::npos) continue;
    const Result<Json> request = parse_json(**line);
    const std::string why = request.ok() ? text_at(*request, "stays") : std::string();
    if (!why.empty())
      return Error(ErrorCode::refused, "this request may not leave this machine: " + why,
                   Place{.path = file.string(), .line = lines.number()});
  }
}

Result<std::string> sha256_of(const Path& file) {
  FIDUCIAL_TRY(std::unique_ptr<FileStream> opened, FileStream::open(file));
  FIDUCIAL_TRY(const Digest digest, HashingStream(std::move(opened)).finish());
  return digest.hex();
}

}  // namespace

Outcome allow_stage_input(const RunRequest& request) {
  if (request.endpoint.empty()) return done();
  FIDUCIAL_TRY(const Endpoint endpoint, Endpoint::parse(request.endpoint));
  if (endpoint.is_loopback()) return done();
  FIDUCIAL_TRY(const Json terms, terms_beside(request.dataset));
  if (text_at(terms, "egress") != "forbidden") return done();
  return Error(ErrorCode::refused, "these reports may not leave this machine: " + reason_to_stay(terms, ""),
               Place{.path = request.dataset.string()});
}

Result<AnsweredRequests> answer_requests(const RunRequest& request, std::int64_t allowed_failures,
                                         AskWatcher& watcher) {
  FIDUCIAL_TRY(const ChosenEndpoint chosen, ChosenEndpoint::choose(request, true));
  if (!chosen.endpoint) return bad_usage("--endpoint: give the URL of the model");
  FIDUCIAL_TRY_DONE(allow_requests(request.dataset, *chosen.endpoint));
  const Path& input = request.stage_input.empty() ? request.dataset : request.stage_input;
  FIDUCIAL_TRY(const std::string digest, sha256_of(is_file(input) ? input : input / run_manifest_file));
  FIDUCIAL_TRY(const OutputLock lock, take_run_folder(request.output));
  const Json plan = plan_of(request, *chosen.vendor, digest);
  FIDUCIAL_TRY(Journal journal, Journal::open(request.output / journal_file, plan));
  FIDUCIAL_TRY(const std::unique_ptr<RequestFile> inquiry, RequestFile::open(request));
  const auto no_images = [](const std::string&) -> Result<std::string> {
    return Error(ErrorCode::internal, "a request of curation has no image");
  };
  FIDUCIAL_TRY(const AskEnd end,
               ask_all(chosen.settings(request, allowed_failures), {.in_batches = request.in_batches,
                                                                    .images = no_images,
                                                                    .journal = &journal,
                                                                    .watcher = &watcher,
                                                                    .inquiry = inquiry.get()}));
  const Outcome& asked = end.outcome;
  FIDUCIAL_TRY_DONE(journal.flush(true));
  if (!asked.ok() && !is_orderly_stop(asked)) return asked.error();
  AnsweredRequests out{.requests = inquiry->count, .answered = inquiry->answered, .failed = inquiry->failed};
  if (!asked.ok()) out.stopped = asked.error();
  out.manifest = Json::object({{"schema", "fiducial.requests/1"},
                               {"fiducial", tool_version},
                               {"finished", asked.ok()},
                               {"plan", plan},
                               {"endpoint", chosen.endpoint->base()},
                               {"requests", out.requests},
                               {"answered", out.answered},
                               {"failed", out.failed},
                               {"egress", egress_of_requests(journal)},
                               {"calls", journal.totals().json()}});
  FIDUCIAL_TRY_DONE(write_file(request.output / run_manifest_file, std::string_view(out.manifest.pretty())));
  return out;
}

}  // namespace fiducial
