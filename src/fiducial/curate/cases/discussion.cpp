#include <algorithm>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/cases/option_cropping.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/curate/engine/stage_call.h"
#include "fiducial/text/sentences.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr const char* discussion_system_words =
    "Edit a case discussion as little as possible: delete clauses and sentences about the extra diagnoses, "
    "never material "
    "about the allowed ones, and add nothing. Answer with JSON: discussion_new, the whole edited text.";

Json discussion_reply_schema() {
  return Json::object({{"type", "object"},
                       {"properties", Json::object({{"discussion_new", Json::object({{"type", "string"}})}})},
                       {"required", Json::array({"discussion_new"})}});
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = text.find(',');
    const std::string_view piece = white_space_trimmed(text.substr(0, end));
    if (!piece.empty()) out.emplace_back(piece);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

// The differential diagnoses of an item. The published script cuts a text at commas, also inside a diagnosis;
// strict takes a list, or a text cut at ";;".
std::vector<std::string> diagnoses_of(const Json& item, bool strict) {
  std::vector<std::string> out;
  const Json* list = item.find("DIF_DIAGNOSIS_LIST");
  if (list == nullptr) return out;
  if (list->as_string() != nullptr)
    return strict ? split_candidates(*list->as_string()) : split_at_commas(*list->as_string());
  if (list->as_array() == nullptr) return out;
  for (const Json& each : *list->as_array()) {
    const std::string text(white_space_trimmed(scalar_text(&each).value_or("")));
    if (!text.empty()) out.push_back(text);
  }
  return out;
}

struct Editing {
  std::string field;
  std::string before;
  std::vector<std::string> allowed;
  std::vector<std::string> extras;
};

Editing editing_of(const Json& item, bool strict) {
  Editing out{.field = item.find("DISCUSSION") != nullptr ? "DISCUSSION" : "discussion"};
  out.before = scalar_text(item.find(out.field)).value_or("");
  for (const char* name : {"options", "gpt_options"}) {
    if (item.find(name) == nullptr || !out.allowed.empty()) continue;
    for (const LetteredOption& option : judged_options(*item.find(name))) out.allowed.push_back(option.text);
  }
  const auto norm = [strict](const std::string& text) { return strict ? folded_norm(text) : text; };
  std::set<std::string> allowed;
  for (const std::string& each : out.allowed) allowed.insert(norm(each));
  for (const std::string& each : diagnoses_of(item, strict)) {
    if (!allowed.contains(norm(each))) out.extras.push_back(each);
  }
  return out;
}

ModelRequest request_for(const Editing& editing) {
  std::string user = "Allowed diagnoses:\n";
  for (const std::string& each : editing.allowed) user += "- " + each + "\n";
  user += "\nExtra diagnoses:\n";
  for (const std::string& each : editing.extras) user += "- " + each + "\n";
  user += "\nDiscussion:\n" + editing.before;
  return {.prompt = "discussion/1",
          .system = discussion_system_words,
          .user = std::move(user),
          .schema = discussion_reply_schema()};
}

std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> out;
  for (const Sentence& sentence : split_sentences(text)) {
    std::string norm = folded_norm(sentence.content.of(text));
    if (!norm.empty()) out.push_back(std::move(norm));
  }
  return out;
}

// Whether every word of one text occurs in the other in the same order.
bool is_part_of(const std::string& part, const std::string& whole) {
  const auto words = [](const std::string& text) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : text + " ") {
      if (c != ' ') {
        word += c;
      } else if (!word.empty()) {
        out.push_back(std::move(word));
        word.clear();
      }
    }
    return out;
  };
  const std::vector<std::string> wanted = words(part);
  std::size_t found = 0;
  for (const std::string& word : words(whole)) {
    if (found < wanted.size() && wanted[found] == word) ++found;
  }
  return found == wanted.size();
}

// Why an edited text is not a cut of the one before, or nothing.
std::optional<ItemStatus> objection(const Editing& editing, const std::string& after) {
  const std::vector<std::string> before = sentences_of(editing.before);
  for (const std::string& sentence : sentences_of(after)) {
    const bool is_old = std::any_of(before.begin(), before.end(), [&sentence](const std::string& each) {
      return is_part_of(sentence, each);
    });
    if (!is_old)
      return ItemStatus{
          .status = "invalid", .code = "sentence_added", .detail = "not in the discussion: " + sentence};
  }
  const std::string norm_before = folded_norm(editing.before);
  const std::string norm_after = folded_norm(after);
  for (const std::string& each : editing.allowed) {
    const std::string norm = folded_norm(each);
    if (norm.empty() || norm_before.find(norm) == std::string::npos) continue;
    if (norm_after.find(norm) == std::string::npos) {
      return ItemStatus{
          .status = "invalid", .code = "allowed_lost", .detail = "no longer mentioned: " + each};
    }
  }
  return std::nullopt;
}

// The sentences that were there before and are not any more.
Json removed_sentences(const Editing& editing, const std::string& after) {
  const std::vector<std::string> kept = sentences_of(after);
  Json out = Json::Array{};
  for (const Sentence& sentence : split_sentences(editing.before)) {
    const std::string norm = folded_norm(sentence.content.of(editing.before));
    if (!norm.empty() && std::find(kept.begin(), kept.end(), norm) == kept.end()) {
      out.push(sentence.content.of(editing.before));
    }
  }
  return out;
}

Result<ItemStatus> cut_discussion(StageCall& call, Item& item) {
  const std::size_t diagnoses = diagnoses_of(item.value, call.strict()).size();
  const Editing editing = editing_of(item.value, call.strict());
  if (diagnoses <= 5 || editing.extras.empty()) return ItemStatus{.code = "nothing_to_cut"};
  FIDUCIAL_TRY(const std::optional<ModelReply> reply, call.ask(request_for(editing), item.id()));
  if (!reply) return ItemStatus{.status = "skipped", .code = "unanswered"};
  const std::string after = scalar_text(reply->value.find("discussion_new")).value_or("");
  const bool has_failed = !reply->error.empty() || white_space_trimmed(after).empty();
  if (!call.strict()) {
    if (has_failed) return ItemStatus{.code = "kept_silently"};
    item.value.set(editing.field, after);
    return ItemStatus{.status = "changed"};
  }
  if (has_failed) {
    return ItemStatus{.status = reply->error.empty() ? "invalid" : "error",
                      .code = reply->error.empty() ? "reply_empty" : "model_error",
                      .detail = reply->error};
  }
  if (auto refused = objection(editing, after)) return *refused;
  item.value.set(editing.field, after);
  return ItemStatus{.status = "changed",
                    .facts = Json::object({{"removed", removed_sentences(editing, after)}})};
}

Outcome run_discussion(StageCall& call) {
  return change_items(call, "CASES", [&call](Item& item) { return cut_discussion(call, item); });
}

}  // namespace

Stage discussion_stage() {
  return {.name = "discussion",
          .summary = "Cut discussions to the five options, by a model's replies",
          .example = "fiducial curate discussion cases.json --replay replies.jsonl -o cut.json",
          .inputs = {{.name = "CASES",
                      .help = "Cases with DIF_DIAGNOSIS_LIST and options (JSON, JSONL)",
                      .required = true}},
          .asks = true,
          .run = run_discussion};
}

}  // namespace fiducial
