#include "fiducial/workflows/synthetic_journal.h"

#include <map>

#include "fiducial/base/sha256.h"
#include "fiducial/chat/journal_line.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/workflows/case_inquiry.h"

namespace fiducial {

namespace {

struct Keyed {
  std::size_t key = 0;
  std::vector<std::string> options;
};

Result<std::map<std::string, Keyed>> read_keys(const Path& dataset, const std::string& split_name) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(dataset));
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> opened, adapter->open_questions(dataset));
  FIDUCIAL_TRY(const DiagnosisSplit split, opened->read_split(split_name));
  std::map<std::string, Keyed> out;
  for (const DiagnosisCase& entry : split.cases)
    out[entry.title] = {.key = DiagnosisCase::letters.find(entry.key),
                        .options = {entry.options.begin(), entry.options.end()}};
  return out;
}

std::string reply_text(const std::string& title, const Keyed& keyed) {
  const Digest chance = sha256(as_bytes(title));
  const bool is_right = chance.bytes[0] < 180;
  const std::size_t chosen =
      is_right ? keyed.key : (keyed.key + 1 + chance.bytes[1] % 4U) % keyed.options.size();
  return Json::object({{"answer", std::string(1, DiagnosisCase::letters[chosen])},
                       {"explanation", "The images fit " + keyed.options[chosen] + " best."}})
      .compact();
}

}  // namespace

Outcome write_synthetic_journal(const Path& dataset, const Path& journal, Progress& progress) {
  FIDUCIAL_TRY(const PreparedRun run,
               PreparedRun::prepare({.dataset = dataset, .model = synthetic_reader, .replay = journal}, true,
                                    progress));
  FIDUCIAL_TRY(const auto keys, read_keys(dataset, "test"));
  std::string text = journal_header(run.plan());
  CaseInquiry inquiry(run);
  while (true) {
    FIDUCIAL_TRY(const std::optional<Inquiry::Asked> asked, inquiry.next());
    if (!asked) break;
    const ChatRequest& request = asked->question.request;
    const ChatReply reply{
        .text = reply_text(asked->question.item, keys.at(asked->question.item)),
        .finish = finished,
        .usage = {.prompt = 400 + 300 * static_cast<std::int64_t>(request.image_count()), .completion = 30},
        .model = synthetic_reader,
        .logprobs = {}};
    text += journal_line({.request = request.hash(),
                          .item = asked->question.item,
                          .step = asked->question.step,
                          .started = "2026-01-01T00:00:00.000Z",
                          .status = 200,
                          .reply = reply});
    FIDUCIAL_TRY_DONE(inquiry.hear(asked->ticket, {.reply = reply, .error = {}}));
  }
  std::error_code trouble;
  std::filesystem::create_directories(journal.parent_path(), trouble);
  return write_file(journal, std::string_view(text));
}

}  // namespace fiducial
