#include "fiducial/workflows/question_list.h"

#include <optional>

#include "fiducial/base/interruption.h"
#include "fiducial/base/partial_file.h"
#include "fiducial/chat/journal.h"

namespace fiducial {

namespace {

Json line_of(const AskedCase& asked_case, const Dialogue::Opened& question, const std::string& hash) {
  Json out = Json::object({{"request", hash}, {"item", asked_case.title}});
  if (!asked_case.shown.scan.empty()) out.set("scan", asked_case.shown.scan);
  if (!asked_case.shown.questions.empty()) out.set("kind", asked_case.shown.questions.front().kind);
  return out.set("step", question.step).set("ask", question.request.json());
}

// The questions of one dialogue that have no reply, as far as the replies lead.
Result<std::string> open_lines(const AskedCase& asked_case, Dialogue& dialogue, const Journal* replies,
                               std::int64_t& count) {
  std::string out;
  while (true) {
    const std::vector<Dialogue::Opened> questions = dialogue.open_questions();
    if (questions.empty()) return out;
    for (const Dialogue::Opened& question : questions) {
      const std::string hash = question.request.hash();
      std::optional<ChatReply> reply;
      if (replies != nullptr) {
        FIDUCIAL_TRY(reply, replies->find(hash));
      }
      if (reply) {
        dialogue.hear(question.exchange, {.reply = std::move(reply), .error = {}});
        continue;
      }
      ++count;
      out += line_of(asked_case, question, hash).compact() + "\n";
    }
    if (stop_requested()) return Error(ErrorCode::interrupted, "stopped; the same command goes on");
  }
}

}  // namespace

Result<ListedQuestions> write_questions(const PreparedRun& run) {
  std::optional<Journal> replies;
  if (!run.request().replay.empty()) {
    FIDUCIAL_TRY(Journal read, Journal::read(run.request().replay));
    replies.emplace(std::move(read));
  }
  FIDUCIAL_TRY(PartialFile file, PartialFile::create(run.request().output / questions_file));
  ListedQuestions out;
  for (const AskedCase& asked_case : run.cases()) {
    if (!asked_case.problem.empty()) {
      ++out.unaskable;
      const Json line = Json::object({{"item", asked_case.title}, {"error", asked_case.problem}});
      FIDUCIAL_TRY_DONE(file.write(as_bytes(line.compact() + "\n")));
      continue;
    }
    for (std::int64_t sample = 0; sample < run.request().samples; ++sample) {
      const std::unique_ptr<Dialogue> dialogue = run.begin_dialogue(asked_case, sample);
      FIDUCIAL_TRY(const std::string lines,
                   open_lines(asked_case, *dialogue, replies ? &*replies : nullptr, out.questions));
      FIDUCIAL_TRY_DONE(file.write(as_bytes(lines)));
    }
  }
  FIDUCIAL_TRY_DONE(file.publish());
  return out;
}

}  // namespace fiducial
