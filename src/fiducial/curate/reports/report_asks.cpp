#include "fiducial/curate/reports/report_asks.h"

#include <algorithm>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/curate/reports/reply_words.h"
#include "fiducial/findings/place_paths.h"

namespace fiducial {

namespace {

bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank_byte(text[at])) ++at;
  return at;
}

ItemStatus check_side(const std::string& key, std::string_view sentence, std::string_view place) {
  const NamedSides said = sides_in(sentence);
  const NamedSides meant = sides_in(place);
  const bool changed = (meant.left && !said.left && said.right) || (meant.right && !said.right && said.left);
  if (!changed) return {};
  return rejected("changed_side", key + ": \"" + std::string(place) + "\" is on the other side");
}

}  // namespace

Result<CheckedReply> ask_for(StageCall& call, const ModelRequest& request, std::string_view id) {
  FIDUCIAL_TRY(const std::optional<ModelReply> reply, call.ask(request, std::string(id)));
  CheckedReply out;
  if (!reply) {
    out.status = {.status = "skipped", .code = "unanswered"};
  } else if (!reply->error.empty()) {
    out.status = rejected("no_reply", reply->error);
  } else {
    out.value = reply->value;
    out.status = check_reply_form(out.value, request.schema);
    out.usable = !out.status.is_failure();
  }
  return out;
}

ModelRequest label_request(const ReportRow& row, const std::vector<std::string>& labels) {
  Json user = Json::Object{};
  for (const ReportText& text : row.texts) user.set(std::string(text.column), std::string(text.text));
  const Json flag = Json::object({{"enum", Json::array({0, 1})}});
  std::vector<std::pair<std::string, Json>> members;
  members.reserve(labels.size());
  for (const std::string& label : labels) members.emplace_back(label, flag);
  return request_in_words_of("labels", user, exact_object_schema(members));
}

ModelRequest sentence_request(const ReportRow& row) {
  Json user = Json::Object{};
  std::vector<std::pair<std::string, Json>> members;
  for (const ReportText& text : row.texts) {
    user.set(std::string(text.column), std::string(text.text));
    members.emplace_back(std::string(text.column), list_schema(text_schema()));
  }
  return request_in_words_of("sentences", user, exact_object_schema(members));
}

AlignedSentences aligned_sentences(std::string_view text, const Json& reply) {
  AlignedSentences out;
  std::size_t at = 0;
  for (const Json& item : *reply.as_array()) {
    const std::string& words = *item.as_string();
    const std::size_t begin = after_blanks(text, at);
    if (words.empty() || text.substr(begin, words.size()) != words) {
      const bool comes_later = !words.empty() && text.find(words, begin) != std::string_view::npos;
      out.status = rejected(comes_later ? "lost_sentence" : "not_preserved",
                            "sentence " + decimal(out.sentences.size()) +
                                (comes_later ? ": words before it are missing" : ": is not in the report"));
      return out;
    }
    out.sentences.push_back({.span = {at, begin + words.size()}, .content = {begin, begin + words.size()}});
    at = begin + words.size();
  }
  if (after_blanks(text, at) != text.size()) {
    out.status = rejected("lost_sentence", "words after the last sentence are missing");
  } else if (!out.sentences.empty()) {
    out.sentences.back().span.end = text.size();
  }
  return out;
}

Json numbered_sentences(std::string_view text, const std::vector<Sentence>& sentences) {
  Json::Object out;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].content.size() > 0)
      out.emplace_back(decimal(i), std::string(sentences[i].content.of(text)));
  }
  return out;
}

ModelRequest place_request(std::string_view prompt, const Json& sentences,
                           const std::vector<std::string>& places) {
  return request_in_words_of(prompt, sentences,
                             keyed_schema(key_names(sentences), list_schema(enum_schema(places))));
}

ItemStatus check_places(const Json& reply, const Json& sentences) {
  for (const auto& [number, sentence] : *sentences.as_object()) {
    for (const std::string& place : strings_at(reply, number)) {
      ItemStatus status = check_side(number, *sentence.as_string(), place);
      if (status.is_failure()) return status;
    }
  }
  return {};
}

ItemStatus check_mirrored(const std::string& key, const std::vector<std::string>& said,
                          const std::vector<std::string>& by_rules) {
  std::set<std::string> written;
  std::set<std::string> known;
  for (const std::string& path : said) {
    for (std::string& each : with_ancestors(path)) written.insert(std::move(each));
  }
  for (const std::string& path : by_rules) {
    for (std::string& each : with_ancestors(path)) known.insert(std::move(each));
  }
  for (const std::string& path : said) {
    const std::string other = mirrored(path);
    if (other != path && !known.contains(path) && known.contains(other) && !written.contains(other))
      return rejected("changed_side", key + ": \"" + path + "\" is on the other side");
  }
  return {};
}

}  // namespace fiducial
