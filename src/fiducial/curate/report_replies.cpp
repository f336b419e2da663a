#include "fiducial/curate/report_replies.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/curate/prompts.h"
#include "fiducial/findings/finding_phrases.h"

namespace fiducial {

namespace {

Json coded_sentences(std::string_view text, char letter) {
  Json out = Json::Object{};
  std::size_t count = 0;
  for (const Sentence& sentence : split_sentences(text)) {
    if (sentence.content.size() > 0)
      out.set(letter + decimal(count++), std::string(sentence.content.of(text)));
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

// The sides of every finding of a text, by its name.
std::map<std::string, std::vector<int>> sides_by_finding(std::string_view text) {
  FactReader reader;
  std::map<std::string, std::vector<int>> out;
  for (const Fact& fact : reader.read(text)) {
    const std::string& name = reader.lexicon().concepts()[fact.finding].name;
    out[name].push_back((fact.left ? 1 : 0) + (fact.right ? 2 : 0));
  }
  for (auto& [name, sides] : out) std::sort(sides.begin(), sides.end());
  return out;
}

// Sides that findings exchanged: every word is there, but not where it was.
ItemStatus check_sides(std::string_view source, std::string_view text) {
  const auto before = sides_by_finding(source);
  const auto after = sides_by_finding(text);
  for (const auto& [name, sides] : before) {
    const auto found = after.find(name);
    const bool changed =
        found != after.end() && found->second.size() == sides.size() && found->second != sides;
    if (changed) return rejected("changed_side", name + " is on another side");
  }
  return {};
}

ItemStatus check_texts(std::string_view source, std::string_view text, std::string_view what) {
  const std::vector<std::string> problems = preservation_problems(source, text);
  return problems.empty() ? ItemStatus{}
                          : rejected("not_preserved", std::string(what) + ": " + problems.front());
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
  return request_in_words_of(
      "categories", positive_findings,
      Json::object({{"type", "object"}, {"additionalProperties", enum_schema(replied_codes())}}));
}

ItemStatus check_standard_reply(const Json& reply, const ReportSectionsText& texts) {
  const Json* findings = reply.find("Findings");
  const Json* impressions = reply.find("Impressions");
  if (reply.as_object() == nullptr || findings == nullptr || findings->as_object() == nullptr ||
      impressions == nullptr || impressions->as_string() == nullptr) {
    return rejected("bad_form", "expected an object with Findings and Impressions");
  }
  if (reply.as_object()->size() != 2) return rejected("extra_key", "expected Findings and Impressions alone");
  const ReplySentences written = sentences_of(*findings);
  if (written.status.is_failure()) return written.status;
  const std::size_t expected = coded_sentences(texts.findings, 'F').as_object()->size();
  if (written.sentences.size() < expected) {
    return rejected("lost_sentence", "expected " + decimal(expected) + " sentences, found " +
                                         decimal(written.sentences.size()));
  }
  if (written.sentences.size() > expected) {
    return rejected("extra_sentence", "expected " + decimal(expected) + " sentences, found " +
                                          decimal(written.sentences.size()));
  }
  std::string text;
  for (const std::string& sentence : written.sentences)
    text += sentence + (sentence.ends_with('.') ? " " : ". ");
  ItemStatus status = check_texts(texts.findings, text, "Findings");
  if (!status.is_failure()) status = check_sides(texts.findings, text);
  return status.is_failure() ? status
                             : check_texts(texts.impressions, *impressions->as_string(), "Impressions");
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
