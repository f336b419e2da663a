#include "fiducial/curate/report_asks.h"

#include <algorithm>
#include <map>
#include <set>

#include "fiducial/base/number_text.h"
#include "fiducial/findings/phrase_pattern.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank_byte(text[at])) ++at;
  return at;
}

// The sides a text names.
struct NamedSides {
  bool left = false;
  bool right = false;
};

NamedSides sides_in(std::string_view text) {
  NamedSides out;
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    const bool both = word == "both" || word.starts_with("bilateral");
    out.left = out.left || both || word == "left";
    out.right = out.right || both || word == "right";
    word.clear();
  }
  return out;
}

std::set<std::string> sizes_in(std::string_view text) {
  std::set<std::string> out;
  for (const Measurement& each : find_measurements(text)) out.insert(measurement_text(each));
  return out;
}

// What a text has that its source has not, a measurement or a side; nothing is "".
std::string gained_by(std::string_view source, std::string_view text) {
  const std::set<std::string> known = sizes_in(source);
  for (const std::string& size : sizes_in(text)) {
    if (!known.contains(size)) return size;
  }
  const NamedSides said = sides_in(source);
  const NamedSides written = sides_in(text);
  if (written.left && !said.left) return "left";
  return written.right && !said.right ? "right" : "";
}

ItemStatus gained_status(const std::string& key, const std::string& gained) {
  return rejected("not_preserved", key + ": gained " + gained);
}

ItemStatus unexpected_key(const std::string& expected, const std::string& found) {
  return rejected("missing_key", "expected " + expected + ", found " + found);
}

std::map<std::string, std::string_view> texts_by_code(const StandardReport& report) {
  std::map<std::string, std::string_view> out;
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) out[sentence.code] = sentence.text;
  }
  for (const StandardSentence& sentence : report.impressions) out[sentence.code] = sentence.text;
  return out;
}

const std::string& text_at(const Json& list, std::size_t index) {
  return *(*list.as_array())[index].as_string();
}

// One finding of a reply against the sentences it says it is from.
ItemStatus check_finding(const std::string& key, const Json& finding,
                         const std::map<std::string, std::string_view>& texts, std::set<std::string>& cited) {
  std::string source;
  for (const std::string_view code : split_trimmed(text_at(finding, 1), ',')) {
    const auto found = texts.find(std::string(code));
    if (found == texts.end())
      return rejected("unknown_source", key + ": there is no sentence " + std::string(code));
    source += std::string(found->second) + " ";
    cited.emplace(code);
  }
  if (source.empty()) return rejected("unknown_source", key + ": no sentence is named");
  const std::string gained = gained_by(source, text_at(finding, 0));
  return gained.empty() ? ItemStatus{} : gained_status(key, gained);
}

// Sentences and measurements that the rules see something abnormal in.
ItemStatus check_nothing_lost(const std::vector<FindingPhrase>& by_rules, const std::set<std::string>& cited,
                              const std::set<std::string>& sizes) {
  for (const FindingPhrase& phrase : by_rules) {
    if (!phrase.abnormal) continue;
    const bool is_cited = std::any_of(phrase.sources.begin(), phrase.sources.end(),
                                      [&cited](const std::string& code) { return cited.contains(code); });
    if (!is_cited)
      return rejected("lost_sentence",
                      "nothing is drawn from " + phrase.sources.front() + ": " + phrase.text);
    for (const std::string& size : sizes_in(phrase.text)) {
      if (!sizes.contains(size)) return rejected("not_preserved", "lost " + size);
    }
  }
  return {};
}

ItemStatus check_side(const std::string& key, std::string_view sentence, std::string_view place) {
  const NamedSides said = sides_in(sentence);
  const NamedSides meant = sides_in(place);
  const bool changed = (meant.left && !said.left && said.right) || (meant.right && !said.right && said.left);
  if (!changed) return {};
  return rejected("changed_side", key + ": \"" + std::string(place) + "\" is on the other side");
}

const std::string& member_text(const Json& object, const char* name) {
  return *object.find(name)->as_string();
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
    out.status = check_reply_form(reply->value, request.schema);
    out.usable = !out.status.is_failure();
    out.value = reply->value;
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
  Json out = Json::Object{};
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].content.size() > 0) out.set(decimal(i), std::string(sentences[i].content.of(text)));
  }
  return out;
}

ModelRequest place_request(std::string_view prompt, const Json& sentences,
                           const std::vector<std::string>& places) {
  Json names = Json::Array{};
  for (const auto& [number, words] : *sentences.as_object()) names.push(number);
  return request_in_words_of(prompt, sentences,
                             Json::object({{"type", "object"},
                                           {"required", std::move(names)},
                                           {"additionalProperties", list_schema(enum_schema(places))}}));
}

ItemStatus check_places(const Json& reply, const Json& sentences) {
  for (const auto& [number, places] : *reply.as_object()) {
    const Json* sentence = sentences.find(number);
    if (sentence == nullptr) return rejected("extra_key", "there is no sentence " + number);
    for (const Json& place : *places.as_array()) {
      ItemStatus status = check_side(number, *sentence->as_string(), *place.as_string());
      if (status.is_failure()) return status;
    }
  }
  return {};
}

std::vector<std::string> places_of(const Json& reply, std::string_view key) {
  std::vector<std::string> out;
  const Json* places = reply.find(key);
  if (places == nullptr) return out;
  for (const Json& place : *places->as_array()) out.push_back(*place.as_string());
  return out;
}

ModelRequest finding_request(const StandardReport& report) {
  Json user = Json::Object{};
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) user.set(sentence.code, sentence.text);
  }
  for (const StandardSentence& sentence : report.impressions) user.set(sentence.code, sentence.text);
  const Json flag = enum_schema({"Y", "N"});
  const Json finding = Json::object(
      {{"type", "array"}, {"prefixItems", Json::array({text_schema(), text_schema(), flag, flag})}});
  return request_in_words_of("findings", user,
                             Json::object({{"type", "object"}, {"additionalProperties", finding}}));
}

ItemStatus check_findings(const Json& reply, const StandardReport& report,
                          const std::vector<FindingPhrase>& by_rules) {
  const std::map<std::string, std::string_view> texts = texts_by_code(report);
  std::set<std::string> cited;
  std::set<std::string> sizes;
  std::size_t number = 0;
  for (const auto& [key, finding] : *reply.as_object()) {
    const std::string expected = "S" + decimal(++number);
    if (key != expected) return unexpected_key(expected, key);
    ItemStatus status = check_finding(key, finding, texts, cited);
    if (status.is_failure()) return status;
    sizes.merge(sizes_in(text_at(finding, 0)));
  }
  return check_nothing_lost(by_rules, cited, sizes);
}

std::vector<FindingPhrase> phrases_of(const Json& reply) {
  std::vector<FindingPhrase> out;
  for (const auto& [key, finding] : *reply.as_object()) {
    FindingPhrase phrase{.text = text_at(finding, 0), .sources = {}};
    for (const std::string_view code : split_trimmed(text_at(finding, 1), ','))
      phrase.sources.emplace_back(code);
    phrase.abnormal = text_at(finding, 2) == "Y";
    phrase.speaks_of_prior = text_at(finding, 3) == "Y";
    out.push_back(std::move(phrase));
  }
  return out;
}

ModelRequest grounding_request(const ReportSectionsText& texts) {
  const Json user = Json::object(
      {{"Findings", std::string(texts.findings)}, {"Impressions", std::string(texts.impressions)}});
  const Json finding = exact_object_schema({{"finding", text_schema()},
                                            {"anatomy", list_schema(enum_schema(known_paths()))},
                                            {"present", enum_schema({"Y", "N"})},
                                            {"size", text_schema()}});
  return request_in_words_of(
      "vqa", user,
      exact_object_schema({{"findings", list_schema(finding)}, {"disorders", list_schema(text_schema())}}));
}

ItemStatus check_grounding(const Json& reply, const ReportSectionsText& texts,
                           const std::vector<GroundedFinding>& by_rules) {
  const std::set<std::string> known = sizes_in(texts.findings);
  std::set<std::string> sizes;
  std::map<std::pair<std::string, std::string>, std::string> answers;
  for (const Json& finding : *reply.find("findings")->as_array()) {
    const std::string& name = member_text(finding, "finding");
    for (const std::string& size : sizes_in(member_text(finding, "size"))) {
      if (!known.contains(size)) return gained_status(name, size);
      sizes.insert(size);
    }
    for (const Json& path : *finding.find("anatomy")->as_array()) {
      ItemStatus status = check_side(name, texts.findings, *path.as_string());
      if (status.is_failure()) return status;
      const auto [answer, is_new] =
          answers.emplace(std::pair(name, *path.as_string()), member_text(finding, "present"));
      if (!is_new && answer->second != member_text(finding, "present"))
        return rejected("contradiction", name + " is both stated and denied of " + *path.as_string());
    }
  }
  for (const GroundedFinding& finding : by_rules) {
    if (!finding.present || finding.sizes.empty()) continue;
    const std::string size = measurement_text(finding.sizes.front());
    if (!sizes.contains(size)) return rejected("not_preserved", "lost " + size);
  }
  return {};
}

std::vector<GroundedFinding> grounded_findings_of(const Json& reply) {
  std::vector<GroundedFinding> out;
  for (const Json& finding : *reply.find("findings")->as_array()) {
    GroundedFinding each{.name = member_text(finding, "finding"),
                         .present = member_text(finding, "present") == "Y",
                         .paths = {},
                         .sizes = find_measurements(member_text(finding, "size"))};
    for (const Json& path : *finding.find("anatomy")->as_array()) each.paths.push_back(*path.as_string());
    each.paths = deepest(std::move(each.paths));
    each.size_path = shared_path(each.paths);
    out.push_back(std::move(each));
  }
  return out;
}

}  // namespace fiducial
