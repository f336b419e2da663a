#include "fiducial/curate/reports/report_sources.h"

#include <algorithm>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/curate/reports/reply_words.h"
#include "fiducial/text/sentences.h"

namespace fiducial {

namespace {

using SentenceList = std::vector<StandardSentence*>;

void take_place_of(const StandardSentence& known, bool same_words, StandardSentence& sentence) {
  sentence.source = known.source;
  if (same_words) sentence.words = known.words;
}

std::vector<Topics> standard_topics(const std::vector<const StandardSentence*>& sentences) {
  TopicReader reader;
  std::vector<Topics> out;
  out.reserve(sentences.size());
  for (const StandardSentence* each : sentences) out.push_back(reader.of(each->text));
  return out;
}

// Sentences in other words than the rules put them in, each with the likest that nothing else stands for.
void trace_likest(const std::vector<const StandardSentence*>& known, const SentenceList& sentences) {
  constexpr std::size_t most_comparisons = 250'000;
  if (known.empty() || sentences.empty() || known.size() * sentences.size() > most_comparisons) return;
  const std::vector<TextPair> pairs =
      paired_texts(standard_topics({sentences.begin(), sentences.end()}), standard_topics(known));
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (pairs[i].reply) take_place_of(*known[*pairs[i].reply], false, *sentences[i]);
  }
}

void trace(const std::vector<const StandardSentence*>& known, const SentenceList& sentences) {
  std::map<std::string_view, std::vector<std::size_t>> by_text;
  for (std::size_t i = known.size(); i-- > 0;) by_text[known[i]->text].push_back(i);
  std::vector<bool> is_taken(known.size());
  SentenceList others;
  for (StandardSentence* sentence : sentences) {
    const auto found = by_text.find(sentence->text);
    if (found == by_text.end() || found->second.empty()) {
      others.push_back(sentence);
      continue;
    }
    take_place_of(*known[found->second.back()], true, *sentence);
    is_taken[found->second.back()] = true;
    found->second.pop_back();
  }
  std::vector<const StandardSentence*> left;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!is_taken[i]) left.push_back(known[i]);
  }
  trace_likest(left, others);
}

}  // namespace

SentenceCodes::SentenceCodes(std::string_view text, char section) : section_(section) {
  const std::vector<Sentence> sentences = split_sentences(text);
  ends_.reserve(sentences.size());
  for (const Sentence& sentence : sentences) ends_.push_back(sentence.span.end);
}

std::size_t SentenceCodes::number_at(std::size_t byte) const {
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), byte) - ends_.begin());
}

std::string SentenceCodes::at(std::size_t byte) const { return section_ + decimal(number_at(byte)); }

Json source_json(const SourceSpan& source, const ReportRow& row) {
  std::string column;
  for (const ReportText& text : row.texts) {
    if (!source.sentence.empty() && text.section == source.sentence.front()) column = text.column;
  }
  return Json::object({{"sentence", source.sentence},
                       {"column", column},
                       {"begin", static_cast<std::int64_t>(source.span.begin)},
                       {"end", static_cast<std::int64_t>(source.span.end)}});
}

Json sources_json(const std::vector<SourceSpan>& sources, const ReportRow& row) {
  Json out = Json::Array{};
  for (const SourceSpan& source : sources) out.push(source_json(source, row));
  return out;
}

std::string sources_text(const std::vector<SourceSpan>& sources) {
  return joined(sources, ";", [](const SourceSpan& source) { return span_text(source); });
}

void trace_sentences(StandardReport& report, const StandardReport& original) {
  std::vector<const StandardSentence*> known;
  SentenceList sentences;
  for (const auto& section : original.sections) {
    for (const StandardSentence& sentence : section) known.push_back(&sentence);
  }
  for (auto& section : report.sections) {
    for (StandardSentence& sentence : section) sentences.push_back(&sentence);
  }
  trace(known, sentences);
  known.clear();
  sentences.clear();
  for (const StandardSentence& sentence : original.impressions) known.push_back(&sentence);
  for (StandardSentence& sentence : report.impressions) sentences.push_back(&sentence);
  trace(known, sentences);
}

void trace_findings(std::vector<FindingPhrase>& findings, const StandardReport& report) {
  std::map<std::string_view, const StandardSentence*> by_code;
  for (const auto& section : report.sections) {
    for (const StandardSentence& sentence : section) by_code[sentence.code] = &sentence;
  }
  for (const StandardSentence& sentence : report.impressions) by_code[sentence.code] = &sentence;
  for (FindingPhrase& finding : findings) {
    if (!finding.spans.empty()) continue;
    for (const std::string& code : finding.sources) {
      const auto found = by_code.find(code);
      if (found != by_code.end() && !found->second->source.sentence.empty())
        finding.spans.push_back(found->second->source);
    }
  }
}

}  // namespace fiducial
