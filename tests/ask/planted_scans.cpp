#include "planted_scans.h"

#include <algorithm>

#include "json_members.h"
#include "planted_effects.h"

namespace fiducial::ask_test {

namespace {

std::string words_at(const Json& json, std::string_view name) { return text_at(json, name).value_or(""); }

std::vector<std::string> list_at(const Json& json, std::string_view name) {
  std::vector<std::string> out;
  const Json* found = json.find(name);
  if (found == nullptr || found->as_array() == nullptr) return out;
  for (const Json& item : *found->as_array()) {
    if (item.as_string() != nullptr) out.push_back(*item.as_string());
  }
  return out;
}

const Json::Object& members_at(const Json& json, std::string_view name) {
  static const Json::Object none;
  const Json* found = json.find(name);
  return found == nullptr || found->as_object() == nullptr ? none : *found->as_object();
}

}  // namespace

Result<PlantedScans::Question> PlantedScans::parse_question(const Json& json) {
  Question out{.id = words_at(json, "id"),
               .scan = words_at(json, "scan"),
               .words = list_at(json, "words"),
               .right = words_at(json, "right"),
               .wrong = words_at(json, "wrong"),
               .base = number_at(json, "base").value_or(0),
               .share = number_at(json, "share").value_or(0),
               .pictures = std::max<std::int64_t>(1, number_at(json, "pictures").value_or(1))};
  if (out.id.empty() || out.words.empty() || out.right.empty()) return invalid_data("a question in part");
  for (const auto& [tag, adds] : members_at(json, "tags"))
    out.tags[tag] = adds.as_integer() == nullptr ? 0 : *adds.as_integer();
  out.draw_ppm = draw_of(out.id);
  return out;
}

Result<PlantedScans> PlantedScans::parse(const Json& table) {
  PlantedScans out;
  const Json* scans = table.find("scans");
  if (scans == nullptr) return out;
  out.marks_ = list_at(*scans, "marks");
  for (const auto& [hash, shown] : members_at(*scans, "pictures")) {
    const std::vector<std::string> tags = list_at(shown, "tags");
    out.pictures_[hash] = {.scan = words_at(shown, "scan"), .tags = {tags.begin(), tags.end()}};
  }
  const Json* questions = scans->find("questions");
  if (questions == nullptr || questions->as_array() == nullptr)
    return invalid_data("scans without questions");
  for (const Json& each : *questions->as_array()) {
    FIDUCIAL_TRY(Question question, parse_question(each));
    out.questions_.push_back(std::move(question));
  }
  return out;
}

Result<Answer> PlantedScans::answer(const Asked& asked) const {
  for (const std::string& mark : marks_) {
    if (asked.text.find(mark) != std::string::npos) return invalid_data("the request holds the mark " + mark);
  }
  std::string scan;
  std::set<std::string> tags;
  std::set<std::string> seen;
  for (const std::string& image : asked.images) {
    const auto shown = pictures_.find(image);
    if (shown == pictures_.end()) return invalid_data("a picture that nobody drew");
    if (!scan.empty() && scan != shown->second.scan) return invalid_data("pictures of two scans");
    if (!seen.insert(image).second) return invalid_data("a picture twice");
    scan = shown->second.scan;
    tags.insert(shown->second.tags.begin(), shown->second.tags.end());
  }
  const Question* found = nullptr;
  for (const Question& question : questions_) {
    const bool is_asked =
        question.scan == scan && std::ranges::all_of(question.words, [&](const std::string& words) {
          return asked.text.find(words) != std::string::npos;
        });
    if (!is_asked) continue;
    if (found != nullptr) return invalid_data("words of two questions: " + found->id + " and " + question.id);
    found = &question;
  }
  if (found == nullptr) return invalid_data("the words of no question about " + scan);
  const auto sent = static_cast<std::int64_t>(seen.size());
  std::int64_t chance = found->base + found->share * sent / found->pictures;
  for (const auto& [tag, adds] : found->tags) chance += tags.contains(tag) ? adds : 0;
  Answer out{.prompt_tokens = 100 + 1000 * sent, .completion_tokens = 20};
  out.text = found->draw_ppm < chance ? found->right : found->wrong;
  return out;
}

}  // namespace fiducial::ask_test
