#include "fiducial/curate/cases/discussion_edit.h"

#include <algorithm>
#include <set>

#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/cases/option_cropping.h"
#include "fiducial/curate/engine/item_fields.h"
#include "fiducial/text/sentences.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

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

std::vector<std::string> normal_sentences(const std::string& text) {
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

}  // namespace

std::vector<std::string> differential_diagnoses(const Json& item, bool strict) {
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

DiscussionEdit discussion_edit(const Json& item, bool strict) {
  DiscussionEdit out{.field = item.find("DISCUSSION") != nullptr ? "DISCUSSION" : "discussion"};
  out.before = scalar_text(item.find(out.field)).value_or("");
  for (const char* name : {"options", "gpt_options"}) {
    if (item.find(name) == nullptr || !out.allowed.empty()) continue;
    for (const LetteredOption& option : judged_options(*item.find(name))) out.allowed.push_back(option.text);
  }
  const auto norm = [strict](const std::string& text) { return strict ? folded_norm(text) : text; };
  std::set<std::string> allowed;
  for (const std::string& each : out.allowed) allowed.insert(norm(each));
  for (const std::string& each : differential_diagnoses(item, strict)) {
    if (!allowed.contains(norm(each))) out.extras.push_back(each);
  }
  return out;
}

std::optional<ItemStatus> objection_to_cut(const DiscussionEdit& editing, const std::string& after) {
  const std::vector<std::string> before = normal_sentences(editing.before);
  for (const std::string& sentence : normal_sentences(after)) {
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

Json removed_sentences(const DiscussionEdit& editing, const std::string& after) {
  const std::vector<std::string> kept = normal_sentences(after);
  Json out = Json::Array{};
  for (const Sentence& sentence : split_sentences(editing.before)) {
    const std::string norm = folded_norm(sentence.content.of(editing.before));
    if (!norm.empty() && std::find(kept.begin(), kept.end(), norm) == kept.end()) {
      out.push(sentence.content.of(editing.before));
    }
  }
  return out;
}

}  // namespace fiducial
