#include "fiducial/workflows/ask_run.h"

#include <system_error>

#include "fiducial/base/output_lock.h"
#include "fiducial/workflows/case_inquiry.h"

namespace fiducial {

namespace {

constexpr std::string_view assumed_text = "<an assumed reply>";

// A reply that stands as it is, so that the steps behind it can be seen.
ChatReply assumed_reply() {
  return {.text = std::string(assumed_text), .finish = "refusal", .usage = {}, .model = {}, .logprobs = {}};
}

// How many assumed replies are part of a request.
std::int64_t assumed_in(const ChatRequest& request) {
  std::int64_t out = 0;
  for (const ChatMessage& message : request.messages) {
    for (const ChatPart& part : message.parts) {
      const std::string_view text = part.text;
      for (std::size_t at = text.find(assumed_text); at != text.npos; at = text.find(assumed_text, at + 1))
        ++out;
    }
  }
  return out;
}

// Plays a run whose replies are those of the journal, or assumed, and adds up what it would send.
class RehearsedRun {
 public:
  RehearsedRun(const PreparedRun& run, const Journal* journal)
      : inquiry_(run),
        journal_(journal),
        image_tokens_(run.price().value_or(Price{}).image_tokens),
        estimate_{.cases = static_cast<std::int64_t>(run.cases().size())} {}

  Outcome play() {
    while (true) {
      FIDUCIAL_TRY(const std::optional<Inquiry::Asked> asked, inquiry_.next());
      if (!asked) return done();
      ++estimate_.questions;
      const ChatRequest& request = asked->question.request;
      std::optional<ChatReply> known;
      if (journal_ != nullptr) {
        FIDUCIAL_TRY(known, journal_->find(request.hash()));
      }
      if (known) ++estimate_.known;
      if (!known) add(request);
      FIDUCIAL_TRY_DONE(
          inquiry_.hear(asked->ticket, {.reply = known ? known : assumed_reply(), .error = {}}));
    }
  }

  const RunEstimate& estimate() const { return estimate_; }

 private:
  // A reply that becomes part of a later question is as long there as it may be.
  void add(const ChatRequest& request) {
    const TokenEstimate tokens = estimated_tokens(request, image_tokens_);
    estimate_.images += static_cast<std::int64_t>(request.image_count());
    estimate_.prompt_tokens += tokens.prompt + assumed_in(request) * tokens.completion;
    estimate_.completion_tokens += tokens.completion;
  }

  CaseInquiry inquiry_;
  const Journal* journal_;
  std::int64_t image_tokens_;
  RunEstimate estimate_;
};

}  // namespace

Result<RunEstimate> estimate_run(const PreparedRun& run) {
  const Path file = run.request().output / journal_file;
  std::optional<Journal> journal;
  if (is_file(file)) {
    FIDUCIAL_TRY(Journal read, Journal::read(file));
    journal.emplace(std::move(read));
  }
  RehearsedRun rehearsed(run, journal ? &*journal : nullptr);
  FIDUCIAL_TRY_DONE(rehearsed.play());
  RunEstimate out = rehearsed.estimate();
  for (const AskedCase& each : run.cases()) {
    if (each.problem.empty()) continue;
    if (out.unaskable++ == 0) out.why_not = each.title + ": " + each.problem;
  }
  if (const std::optional<Price>& price = run.price()) {
    const TokenUsage most{.prompt = out.prompt_tokens, .completion = out.completion_tokens};
    out.most_cost = (run.request().in_batches ? price->batch : 1) * price->of(most);
    out.currency = price->currency;
  }
  return out;
}

Result<AskedRun> ask_run(const PreparedRun& run, std::int64_t allowed_failures, AskWatcher& watcher) {
  const RunRequest& request = run.request();
  if (!request.replay.empty()) {
    FIDUCIAL_TRY(const Journal replies, Journal::read(request.replay));
    AskedRun out;
    FIDUCIAL_TRY(out.summary, write_run(run, {.replies = &replies, .stopped = {}}));
    if (out.summary.open > 0 && !replies.plan().is_null())
      out.other_plan = plan_difference(replies.plan(), run.plan());
    return out;
  }
  FIDUCIAL_TRY(Journal journal, Journal::open(request.output / journal_file, run.plan()));
  // What it says is of an earlier command, and this one may be killed.
  std::error_code ignored;
  std::filesystem::remove(request.output / run_manifest_file, ignored);
  const PictureStore& pictures = run.pictures();
  CaseInquiry inquiry(run);
  FIDUCIAL_TRY(const AskEnd end,
               ask_all(run.chosen().settings(request, allowed_failures),
                       {.in_batches = request.in_batches,
                        .images = [&pictures](const std::string& hash) { return pictures.read(hash); },
                        .journal = &journal,
                        .watcher = &watcher,
                        .inquiry = &inquiry}));
  const Outcome& asked = end.outcome;
  FIDUCIAL_TRY_DONE(journal.flush(true));
  if (!asked.ok() && !is_orderly_stop(asked)) return asked.error();
  AskedRun out;
  if (!asked.ok()) out.stopped = asked.error();
  const std::string why = asked.ok() ? std::string() : asked.error().message();
  FIDUCIAL_TRY(out.summary, write_run(run, {.replies = &journal,
                                            .stopped = why,
                                            .asks_again = !asked.ok() && asked.error().code() !=
                                                                             ErrorCode::too_many_failures}));
  out.state = end.state;
  return out;
}

Result<Json> run_status(const Path& folder) {
  if (!is_file(folder / journal_file))
    return Error(ErrorCode::bad_usage, "this is no folder of a run: it has no " + std::string(journal_file),
                 Place{.path = folder.string()});
  FIDUCIAL_TRY(const Journal journal, Journal::read(folder / journal_file));
  if (journal.plan().is_null())
    return Error(ErrorCode::invalid_data, "this is no journal of a run",
                 Place{.path = (folder / journal_file).string()});
  Json out = Json::object({{"plan", journal.plan()}, {"calls", journal.totals().json()}});
  if (!journal.batches().empty()) {
    Json batches = Json::Array{};
    for (const BatchRecord& batch : journal.batches()) {
      batches.push(Json::object({{"id", batch.id.empty() ? Json() : Json(batch.id)},
                                 {"started", batch.started},
                                 {"requests", static_cast<std::int64_t>(batch.requests.size())},
                                 {"is_open", batch.is_open()}}));
    }
    out.set("batches", std::move(batches));
  }
  out.set("is_running", OutputLock::is_taken(folder));
  const Path manifest = folder / run_manifest_file;
  if (!is_file(manifest)) return out;
  FIDUCIAL_TRY(const std::string text, read_text_file(manifest));
  FIDUCIAL_TRY(Json ended, parse_json(text).in_file(manifest.string()));
  return out.set("ended", std::move(ended));
}

}  // namespace fiducial
