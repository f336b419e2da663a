#include "fiducial/curate/reports/report_replies.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/engine/prompts.h"
#include "fiducial/curate/reports/reply_polarity.h"
#include "fiducial/curate/reports/reply_words.h"
#include "fiducial/findings/finding_phrases.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

Json coded_sentences(std::string_view text, char letter) {
  Json::Object out;
  for (const Sentence& sentence : split_sentences(text)) {
    if (sentence.content.size() > 0)
      out.emplace_back(letter + decimal(out.size()), std::string(sentence.content.of(text)));
  }
  return out;
}

Json section_schema() {
  std::vector<std::pair<std::string, Json>> members;
  members.reserve(report_sections.size());
  for (const ReportSection& section : report_sections)
    members.emplace_back(section.name, list_schema(text_schema()));
  return exact_object_schema(members);
}

// The sentences of a reply's findings, or what is wrong with their form.
struct ReplySentences {
  std::vector<std::string> sentences;
  ItemStatus status;
};

ReplySentences sentences_of(const Json& findings) {
  ReplySentences out;
  for (const auto& [name, list] : *findings.as_object()) {
    const auto is_name = [&known = name](const ReportSection& section) { return section.name == known; };
    if (std::none_of(report_sections.begin(), report_sections.end(), is_name)) {
      out.status = rejected("unknown_section", "\"" + name + "\" is none of the seven sections");
    } else if (list.as_array() == nullptr) {
      out.status = rejected("bad_form", name + ": expected a list, found " + std::string(list.kind()));
    } else {
      for (const Json& sentence : *list.as_array()) {
        if (sentence.as_string() == nullptr)
          out.status = rejected("bad_form", name + ": expected texts");
        else
          out.sentences.push_back(*sentence.as_string());
      }
    }
  }
  for (const ReportSection& section : report_sections) {
    if (findings.find(section.name) == nullptr) {
      out.status = rejected("missing_section", "\"" + std::string(section.name) + "\" is missing");
    }
  }
  return out;
}

// The codes, and that none fits.
std::vector<std::string> replied_codes() {
  std::vector<std::string> out = category_rules().names();
  out.emplace_back("abstain");
  return out;
}

ItemStatus check_measurements(std::string_view source, std::string_view text, std::string_view what) {
  const std::vector<std::string> problems = measurement_problems(source, text);
  return problems.empty() ? ItemStatus{}
                          : rejected("not_preserved", std::string(what) + ": " + problems.front());
}

// A sentence and the one that stands for it: the same measurements, the same sides.
ItemStatus check_pair(const std::string& source, const std::string& reply) {
  const NamedSides said = sides_in(source);
  const NamedSides written = sides_in(reply);
  const std::string lost = side_beyond(said, written);
  const std::string gained = side_beyond(written, said);
  const std::string place = "\"" + source + "\": ";
  if (!lost.empty() && !gained.empty()) return rejected("changed_side", place + lost + " became " + gained);
  if (!lost.empty()) return rejected("not_preserved", place + "lost " + lost);
  if (!gained.empty()) return rejected("not_preserved", place + "gained " + gained);
  if (sizes_in(source) == sizes_in(reply)) return {};
  return rejected("not_preserved", place + "has other measurements");
}

std::vector<Topics> topics_of(const std::vector<std::string>& texts) {
  TopicReader reader;
  std::vector<Topics> out;
  out.reserve(texts.size());
  for (const std::string& text : texts) out.push_back(reader.of(text));
  return out;
}

// Sentences of a source and of a reply. Pairs that are hardly alike are not compared word by word: they may
// be a sentence in other words, or two that changed places.
ItemStatus check_sentences(const std::vector<std::string>& source, const std::vector<std::string>& reply,
                           std::string_view what) {
  constexpr std::size_t most_comparisons = 4'000'000;
  constexpr double alike = 0.5;
  constexpr double same_words = 0.8;
  const auto counts = "expected " + decimal(source.size()) + " sentences, found " + decimal(reply.size());
  if (reply.size() < source.size()) return rejected("lost_sentence", std::string(what) + ": " + counts);
  if (reply.size() > source.size()) return rejected("extra_sentence", std::string(what) + ": " + counts);
  if (source.size() * reply.size() > most_comparisons) return {};
  const std::vector<Topics> topics = topics_of(source);
  const std::vector<TextPair> pairs = paired_texts(topics, topics_of(reply));
  ReplyPolarity polarity;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (topics[i].empty()) continue;
    if (!pairs[i].reply) return rejected("lost_sentence", "nothing stands for \"" + source[i] + "\"");
    if (pairs[i].likeness < alike) continue;
    const std::string& written = reply[*pairs[i].reply];
    ItemStatus status = check_pair(source[i], written);
    if (!status.is_failure())
      status = polarity.check_text(source[i], written, pairs[i].likeness >= same_words);
    if (status.is_failure()) return status;
  }
  return {};
}

std::vector<std::string> sentences_in(std::string_view text) {
  std::vector<std::string> out;
  for (const Sentence& sentence : split_sentences(text)) {
    if (sentence.content.size() > 0) out.emplace_back(sentence.content.of(text));
  }
  return out;
}

bool is_nothing(std::string_view impressions) {
  const std::string lower = ascii_lower(impressions);
  return lower.empty() || lower == "not given" || lower == "not given.";
}

ItemStatus check_impressions(std::string_view source, const std::string& reply) {
  const std::vector<std::string> written =
      is_nothing(reply) ? std::vector<std::string>{} : sentences_in(reply);
  ItemStatus status = check_sentences(sentences_in(source), written, "Impressions");
  return status.is_failure() ? status : check_measurements(source, reply, "Impressions");
}

}  // namespace

ModelRequest standard_report_request(const ReportSectionsText& texts) {
  const Json user = Json::object({{"Findings", coded_sentences(texts.findings, 'F')},
                                  {"Impressions", coded_sentences(texts.impressions, 'I')}});
  return request_in_words_of(
      "standardise", user,
      exact_object_schema({{"Findings", section_schema()}, {"Impressions", text_schema()}}));
}

ModelRequest category_request(const Json& positive_findings) {
  return request_in_words_of("categories", positive_findings,
                             keyed_schema(key_names(positive_findings), enum_schema(replied_codes())));
}

ItemStatus check_standard_reply(const Json& reply, const ReportSectionsText& texts) {
  if (reply.as_object() == nullptr)
    return rejected("bad_form", "expected an object, found " + std::string(reply.kind()));
  const Json* findings = reply.find("Findings");
  const Json* impressions = reply.find("Impressions");
  if (findings == nullptr || impressions == nullptr)
    return rejected("missing_key", "expected Findings and Impressions");
  if (reply.as_object()->size() != 2) return rejected("extra_key", "expected Findings and Impressions alone");
  if (findings->as_object() == nullptr || impressions->as_string() == nullptr)
    return rejected("bad_form", "expected an object of Findings, and Impressions as one text");
  const ReplySentences written = sentences_of(*findings);
  if (written.status.is_failure()) return written.status;
  ItemStatus status = check_sentences(sentences_in(texts.findings), written.sentences, "Findings");
  if (status.is_failure()) return status;
  std::string text;
  for (const std::string& sentence : written.sentences)
    text += sentence + (sentence.ends_with('.') ? " " : ". ");
  status = check_measurements(texts.findings, text, "Findings");
  if (!status.is_failure()) status = ReplyPolarity().check_text(texts.findings, text, false);
  return status.is_failure() ? status : check_impressions(texts.impressions, *impressions->as_string());
}

ItemStatus check_category_reply(const Json& reply, const Json& positive_findings) {
  if (reply.as_object() == nullptr)
    return rejected("bad_form", "expected an object, found " + std::string(reply.kind()));
  const std::vector<std::string> codes = replied_codes();
  for (const auto& [key, code] : *reply.as_object()) {
    if (positive_findings.find(key) == nullptr) return rejected("extra_key", "there is no finding " + key);
    const std::string* text = code.as_string();
    if (text == nullptr || std::find(codes.begin(), codes.end(), *text) == codes.end()) {
      return rejected("unknown_code", key + ": " + code.compact() + " is no code");
    }
  }
  for (const auto& [key, phrase] : *positive_findings.as_object()) {
    if (reply.find(key) == nullptr) return rejected("missing_key", "finding " + key + " has no code");
  }
  return {};
}

}  // namespace fiducial
