#include "fiducial/workflows/chat_examples.h"

#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/partial_file.h"
#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

namespace {

// What an expert's reply to a step reads; "" where there is none.
std::string expert_reply(const DiagnosisCase& entry, const std::string& step) {
  constexpr std::string_view finding = "finding ";
  if (step.starts_with(finding)) {
    const auto number = parse_unsigned(std::string_view(step).substr(finding.size()));
    const std::string& caption = entry.images.at(*number - 1).caption;
    return caption.empty() ? caption : Json::object({{"finding", caption}}).compact();
  }
  if (step == "summary")
    return entry.findings.empty() ? "" : Json::object({{"summary", entry.findings}}).compact();
  if (step == "discussion") return entry.discussion;
  if (step != "answer" || !entry.has_key()) return {};
  return Json::object({{"answer", std::string(1, entry.key)}, {"explanation", entry.discussion}}).compact();
}

Json example_of(const ChatRequest& request, const std::string& reply,
                const std::map<std::string, std::string>& paths) {
  Json::Array messages;
  for (const ChatMessage& message : request.messages) {
    Json::Array parts;
    for (const ChatPart& part : message.parts) {
      if (part.image) {
        Json url = Json::object({{"url", paths.at(part.image->sha256)}});
        parts.push_back(Json::object({{"type", "image_url"}, {"image_url", std::move(url)}}));
      } else {
        parts.push_back(Json::object({{"type", "text"}, {"text", part.text}}));
      }
    }
    messages.push_back(Json::object({{"role", to_string(message.role)}, {"content", std::move(parts)}}));
  }
  messages.push_back(Json::object({{"role", "assistant"}, {"content", reply}}));
  return Json::object({{"messages", std::move(messages)}});
}

// Every question about a case with its reply; later ones follow from replies to earlier ones.
std::string examples_of(const PreparedRun& run, const AskedCase& asked_case, const DiagnosisCase& entry,
                        std::int64_t& count) {
  std::map<std::string, std::string> paths;
  for (const ShownImage& image : asked_case.shown.images)
    paths[image.image.sha256] = asked_case.shown.view.image_paths[image.number - 1];
  const std::unique_ptr<Dialogue> dialogue = run.begin_dialogue(asked_case, 0);
  std::string out;
  while (true) {
    const std::vector<Dialogue::Opened> questions = dialogue->open_questions();
    if (questions.empty()) return out;
    for (const Dialogue::Opened& question : questions) {
      const std::string reply = expert_reply(entry, question.step);
      if (reply.empty()) {
        dialogue->hear(question.exchange, {.reply = {}, .error = "no expert says it"});
        continue;
      }
      ++count;
      out += example_of(question.request, reply, paths).compact() + "\n";
      dialogue->hear(question.exchange, {.reply = ChatReply{.text = reply, .finish = finished}, .error = {}});
    }
  }
}

}  // namespace

Result<std::int64_t> write_chat_examples(const PreparedRun& run, const Path& file) {
  FIDUCIAL_TRY(const DatasetAdapter* adapter, find_dataset_adapter(run.request().dataset));
  FIDUCIAL_TRY(const std::unique_ptr<DiagnosisDataset> dataset,
               adapter->open_questions(run.request().dataset));
  FIDUCIAL_TRY(const std::string name, choose_split(*dataset, run.request().split));
  FIDUCIAL_TRY(const DiagnosisSplit split, dataset->read_split(name));
  std::map<std::string, const DiagnosisCase*> by_title;
  for (const DiagnosisCase& entry : split.cases) by_title.emplace(entry.title, &entry);
  FIDUCIAL_TRY(PartialFile out, PartialFile::create(file));
  std::int64_t count = 0;
  for (const AskedCase& asked_case : run.cases()) {
    if (!asked_case.problem.empty()) return invalid_data(asked_case.title + ": " + asked_case.problem);
    const std::string lines = examples_of(run, asked_case, *by_title.at(asked_case.title), count);
    FIDUCIAL_TRY_DONE(out.write(as_bytes(lines)));
  }
  FIDUCIAL_TRY_DONE(out.publish());
  return count;
}

}  // namespace fiducial
