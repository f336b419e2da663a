#include "fiducial/workflows/workflow.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/chat/reply_schema.h"

namespace fiducial {

std::vector<Dialogue::Opened> Dialogue::open_questions() {
  std::vector<Opened> out;
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    if (auto request = exchanges_[i].take_request())
      out.push_back({.exchange = i, .step = exchanges_[i].asking_step(), .request = *std::move(request)});
  }
  return out;
}

void Dialogue::hear(std::size_t at, const Heard& heard) {
  exchanges_[at].hear(heard, asked_->prompts->at("ask_again"));
  if (is_finished()) go_on();
}

bool Dialogue::is_finished() const {
  return std::all_of(exchanges_.begin(), exchanges_.end(),
                     [](const Exchange& each) { return each.is_finished(); });
}

std::size_t Dialogue::begin(std::string step, ChatRequest request) {
  exchanges_.emplace_back(std::move(step), std::move(request), asked_->re_asks);
  return exchanges_.size() - 1;
}

std::size_t Dialogue::begin_answer(ChatRequest request, const InferenceView& view) {
  const std::size_t at = begin("answer", std::move(request));
  if (asked_->recovers)
    exchanges_[at].recover_with({.words = &asked_->prompts->at("recovery"), .options = view.options});
  return at;
}

CaseAnswer Dialogue::answer_so_far() const {
  CaseAnswer out;
  for (const Exchange& each : exchanges_) {
    out.usage += each.usage();
    out.calls += each.calls();
    if (!each.finish().empty()) out.finishes.push_back(each.finish());
    if (each.has_failed()) out.failures.emplace_back(each.step(), each.failure());
  }
  return out;
}

std::string options_text(const InferenceView& view) {
  std::string out;
  for (std::size_t i = 0; i < view.options.size(); ++i) {
    append_joined(out, std::string(1, DiagnosisCase::letters[i]) + ". " + view.options[i], "\n");
  }
  return out;
}

std::string image_labels(const std::vector<ShownImage>& images) {
  if (images.empty()) return "none";
  std::string out;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool is_last = i + 1 == images.size();
    append_joined(out, "Image " + decimal(images[i].number), is_last ? " and " : ", ");
  }
  return out;
}

ChatRequest request_in_words(const AskedAs& asked, const std::string& prompt, const PromptValues& values,
                             const std::vector<ShownImage>& images, Json schema) {
  const PromptWords& words = asked.prompts->at(prompt);
  ChatRequest out{.model = asked.model, .parameters = asked.parameters, .messages = {}, .schema = {}};
  if (asked.with_schema) out.schema = std::move(schema);
  const std::string system = words.system(values);
  if (!system.empty())
    out.messages.push_back({.role = ChatMessage::Role::system, .parts = {{.text = system, .image = {}}}});
  ChatMessage user{.role = ChatMessage::Role::user, .parts = {}};
  for (const ShownImage& each : images) {
    const std::string note = each.note.empty() ? "" : " (" + each.note + ")";
    if (asked.labels_images)
      user.parts.push_back({.text = "Image " + decimal(each.number) + note + ":", .image = {}});
    user.parts.push_back({.text = {}, .image = each.image});
  }
  const auto at = asked.layout == ImageLayout::text_first ? user.parts.begin() : user.parts.end();
  user.parts.insert(at, {.text = words.user(values), .image = {}});
  out.messages.push_back(std::move(user));
  return out;
}

Json answer_schema() {
  std::vector<std::string> letters;
  for (const char letter : DiagnosisCase::letters) letters.emplace_back(1, letter);
  Json answer = enum_schema(letters).set("type", "string");
  return exact_object_schema({{"answer", std::move(answer)}, {"explanation", text_schema()}});
}

}  // namespace fiducial
