// Journals of runs, replies and errors of endpoints, and what is found in replies: any bytes give a value or
// an error with a place, and what was read once reads the same again.
#include "fiducial/chat/asker.h"
#include "fiducial/chat/batch_language.h"
#include "fiducial/chat/wished_pause.h"
#include "fiducial/workflows/exchange.h"
#include "fiducial/workflows/prompt.h"

#include "fuzz_files.h"

namespace {

using namespace fiducial;

void read_journal(std::string_view text) {
  const fuzz::MemoryFile file(text);
  const Result<Journal> journal = Journal::read(file.path());
  if (!journal.ok()) {
    fuzz::require(!journal.error().text().empty());
    return;
  }
  fuzz::require(journal->totals().attempts >= journal->totals().replies);
  (void)journal->find("request").ok();
}

void read_replies(std::string_view text) {
  const Result<Json> document = parse_reply_body(text);
  for (const Vendor& vendor : all_vendors()) {
    if (!document.ok()) break;
    const Result<ChatReply> reply = vendor.reply(*document);
    if (!reply.ok()) continue;
    JournalEntry entry{.request = "r", .item = "i", .step = "s", .status = 200, .reply = *reply};
    std::string line = journal_line(entry);
    line.pop_back();
    fuzz::require(check_journal_line(line) == LineCheck::sound);
    const Result<JournalEntry> again = parse_journal_line(line);
    fuzz::require(again.ok() && again->reply && again->reply->text == reply->text);
  }
  const EndpointError error = parse_endpoint_error(text);
  ChatRequest request{.model = "m", .parameters = Json::object({{"temperature", 1}})};
  for (const Vendor& vendor : all_vendors()) (void)refused_parameter(vendor, request, error);
}

// What endpoints of batches write: whatever it is, an id that is taken is fit for a path.
void read_batches(std::string_view text) {
  const Result<Json> document = parse_json(text);
  for (const BatchLanguage* language : {&openai_batches(), &anthropic_batches(), &gemini_batches()}) {
    (void)language->results(text).ok();
    if (!document.ok()) continue;
    const Result<std::string> id = language->id(*document);
    fuzz::require(!id.ok() || (!id->empty() && id->find("..") == std::string::npos));
    const Result<BatchStatus> status = language->status("batch", *document);
    if (status.ok()) {
      for (const BatchCall& call : status->results) fuzz::require(call.is_get && call.path.starts_with("/"));
    }
    (void)language->find(*document, {.token = "t", .since = "2026-01-01T00:00:00Z", .requests = 1});
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = as_text(fuzz::view(bytes, size));
  read_journal(text);
  read_replies(text);
  read_batches(text);
  (void)value_in_reply(text);
  (void)PromptWords::parse(text, {"history"}, "fuzz").ok();
  (void)Endpoint::parse(std::string(text)).ok();
  (void)parse_duration(text);
  HttpReply reply;
  reply.headers = {{"retry-after", std::string(text)}};
  (void)wished_pause(reply, 0);
  reply.status = 429;
  reply.headers.clear();
  reply.body = text;
  (void)wished_pause(reply, 0);
  hide_secret(reply.body, "sk-\"0123/456");
  return 0;
}
