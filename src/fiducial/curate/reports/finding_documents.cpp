#include "fiducial/curate/reports/finding_documents.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"

namespace fiducial {

namespace {

// The published form of a finding: phrase, sources, abnormal, refers to a prior study.
Json finding_json(const FindingPhrase& phrase) {
  return Json::array({phrase.text, joined(phrase.sources, ","), phrase.abnormal ? "Y" : "N",
                      phrase.speaks_of_prior ? "Y" : "N"});
}

std::string without_period(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string category_code(const FindingPhrase& phrase) {
  const ConceptRules& rules = category_rules();
  return phrase.category_rule ? rules.names()[rules.rules()[*phrase.category_rule].name] : "abstain";
}

DocumentKeys DocumentNumbers::next(const FindingPhrase& phrase) {
  return {"S" + decimal(++all_), phrase.abnormal ? "P" + decimal(++positive_) : "N" + decimal(++negative_)};
}

// Keys are numbered, so no member is looked for: a report of ten megabytes has half a million findings.
FindingDocuments documents_of(const std::vector<FindingPhrase>& phrases) {
  Json::Object extracted, labelled, positive, categories;
  DocumentNumbers numbers;
  for (const FindingPhrase& phrase : phrases) {
    const auto [key, place] = numbers.next(phrase);
    extracted.emplace_back(key, finding_json(phrase));
    labelled.emplace_back(key + "," + place, finding_json(phrase));
    if (!phrase.abnormal) continue;
    positive.emplace_back(place, phrase.text);
    categories.emplace_back(place, category_code(phrase));
  }
  return {.extracted = std::move(extracted),
          .labelled = std::move(labelled),
          .positive = std::move(positive),
          .categories = std::move(categories)};
}

ReadStandardReport standard_report_of(const Json& document) {
  ReadStandardReport out;
  const Json* findings = document.find("Findings");
  const Json* impressions = document.find("Impressions");
  if (findings == nullptr || findings->as_object() == nullptr || impressions == nullptr ||
      impressions->as_string() == nullptr) {
    out.status = rejected("bad_input", "expected an object with Findings and Impressions");
    return out;
  }
  for (std::size_t i = 0; i < report_sections.size(); ++i) {
    const Json* list = findings->find(report_sections[i].name);
    if (list == nullptr || list->as_array() == nullptr) {
      out.status =
          rejected("bad_input", std::string(report_sections[i].name) + ": expected a list of sentences");
      return out;
    }
    auto& section = out.report.sections[i];
    for (const Json& sentence : *list->as_array()) {
      if (sentence.as_string() == nullptr) {
        out.status = rejected("bad_input", std::string(report_sections[i].name) + ": expected texts");
        return out;
      }
      section.push_back({.code = report_sections[i].letter + decimal(section.size()),
                         .text = without_period(*sentence.as_string()),
                         .words = {},
                         .source = {}});
    }
  }
  const std::string& text = *impressions->as_string();
  if (text == "Not Given") return out;
  for (const Sentence& sentence : split_sentences(text)) {
    if (sentence.content.size() == 0) continue;
    out.report.impressions.push_back({.code = "I" + decimal(out.report.impressions.size()),
                                      .text = std::string(sentence.content.of(text)),
                                      .words = {},
                                      .source = {}});
  }
  return out;
}

FindingPhrase PhraseCoder::coded(const std::string& text) {
  StandardReport report;
  report.sections[0].push_back({.code = "L0", .text = text, .words = {}, .source = {}});
  FindingPhrase out{.text = text, .sources = {}, .spans = {}};
  const std::vector<FindingPhrase> phrases = extractor_.extract(report);
  const auto coded = std::find_if(phrases.begin(), phrases.end(), [](const FindingPhrase& phrase) {
    return phrase.category_rule.has_value();
  });
  const auto found = coded == phrases.end() ? phrases.begin() : coded;
  if (found == phrases.end()) return out;
  out.category_rule = found->category_rule;
  out.finding = found->finding;
  out.is_placed = found->is_placed;
  return out;
}

}  // namespace fiducial
