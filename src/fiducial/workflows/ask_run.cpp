#include "fiducial/workflows/ask_run.h"

#include <system_error>

#include "fiducial/base/output_lock.h"
#include "fiducial/workflows/case_inquiry.h"

namespace fiducial {

Result<RunEstimate> estimate_run(const PreparedRun& run) {
  const std::optional<Price>& price = run.price();
  const Path file = run.request().output / journal_file;
  std::optional<Journal> journal;
  if (is_file(file)) {
    FIDUCIAL_TRY(Journal read, Journal::read(file));
    journal.emplace(std::move(read));
  }
  RunEstimate out{.cases = static_cast<std::int64_t>(run.cases().size())};
  for (const AskedCase& each : run.cases()) {
    if (each.problem.empty()) continue;
    if (out.unaskable++ == 0) out.why_not = each.title + ": " + each.problem;
  }
  TokenUsage most;
  CaseInquiry inquiry(run);
  while (true) {
    FIDUCIAL_TRY(const std::optional<Inquiry::Asked> asked, inquiry.next());
    if (!asked) break;
    const ChatRequest& request = asked->question.request;
    ++out.first_questions;
    if (journal) {
      FIDUCIAL_TRY(const std::optional<ChatReply> known, journal->find(request.hash()));
      if (known) {
        ++out.known;
        continue;
      }
    }
    const TokenEstimate tokens = estimated_tokens(request, price.value_or(Price{}).image_tokens);
    out.images += static_cast<std::int64_t>(request.image_count());
    most += {.prompt = tokens.prompt, .completion = tokens.completion};
  }
  out.prompt_tokens = most.prompt;
  out.completion_tokens = most.completion;
  if (price) {
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
