#include "fiducial/findings/standard_report.h"

#include <algorithm>
#include <map>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/findings/measurements.h"
#include "fiducial/findings/phrase_pattern.h"
#include "fiducial/text/words.h"

namespace fiducial {

std::string_view embedded_sections();
std::string_view embedded_wording();

namespace {

bool is_word_byte(char c) { return is_letter(c) || is_digit(c) || is_wide(c); }

const ConceptRules& section_rules() {
  static const ConceptRules rules = [] {
    Result<ConceptRules> parsed = ConceptRules::parse(embedded_sections(), "section", Lexicon::chest_ct());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return rules;
}

constexpr std::string_view clause_signs = ".,;:()";
// Bytes on either side of a noun in which its verb is looked for, so that no text costs more than linear
// time.
constexpr std::size_t longest_subject = 300;

// The words of a text from a place on, up to the next sign of a clause.
struct PlacedWord {
  std::size_t begin = 0;
  std::string_view word;
};

std::vector<PlacedWord> words_after(std::string_view text, std::size_t at) {
  std::vector<PlacedWord> out;
  const std::string_view near = text.substr(0, std::min(text.size(), at + longest_subject));
  const std::size_t end = std::min(near.find_first_of(clause_signs, at), near.size());
  while (at < end) {
    std::size_t stop = at;
    while (stop < end && text[stop] != ' ') ++stop;
    if (stop > at) out.push_back({at, text.substr(at, stop - at)});
    at = stop + 1;
  }
  return out;
}

bool joins(std::string_view word) { return word == "and" || word == "or"; }

// "are" and "were" of a noun that has become one, where nothing is joined to it.
void make_verb_singular(std::string& text, TextSpan noun) {
  constexpr std::size_t words_before = 4;  // "There are mild diffuse peripheral"
  std::size_t begin = noun.begin;
  while (begin > 0 && noun.begin - begin < longest_subject &&
         clause_signs.find(text[begin - 1]) == std::string_view::npos)
    --begin;
  const std::vector<PlacedWord> before = words_after(std::string_view(text).substr(0, noun.begin), begin);
  const std::vector<PlacedWord> after = words_after(text, noun.end);
  const auto is_joined = [](const std::vector<PlacedWord>& words) {
    return std::any_of(words.begin(), words.end(), [](const PlacedWord& each) { return joins(each.word); });
  };
  const auto is_one_of = [](const std::vector<PlacedWord>& words, std::size_t at, std::string_view list) {
    return list.find(" " + std::string(words[at].word) + " ") != std::string_view::npos;
  };
  // "in favor of scarring", "bands of scarring" and "scarring fibrotic bands": another noun has the verb.
  const bool governs = !after.empty() && is_one_of(after, 0, " are were in at on with within ");
  const bool is_governed =
      !before.empty() && is_one_of(before, before.size() - 1, " of with to by as in from ");
  if (!governs || is_governed || is_joined(before)) return;
  const auto make_one = [&text](const PlacedWord& verb) {
    text.replace(verb.begin, verb.word.size(), verb.word == "are" ? "is" : "was");
  };
  const auto is_many = [](const PlacedWord& each) { return each.word == "are" || each.word == "were"; };
  if (before.size() >= 2 && before.size() <= words_before + 2 && ascii_lower(before[0].word) == "there" &&
      is_many(before[1]))
    return make_one(before[1]);
  const auto verb = std::find_if(after.begin(), after.end(), is_many);
  if (verb != after.end() && !is_joined({after.begin(), verb})) make_one(*verb);
}

std::map<std::string, int> measurement_counts(std::string_view text) {
  std::map<std::string, int> counts;
  for (const Measurement& each : find_measurements(text)) ++counts[measurement_text(each)];
  for (const std::string& each : find_sizes_without_unit(text)) ++counts[each];
  return counts;
}

std::map<std::string, int> side_counts(std::string_view text) {
  std::map<std::string, int> counts;
  std::string word;
  for (const char c : ascii_lower(text) + " ") {
    if (is_word_byte(c)) {
      word += c;
      continue;
    }
    if (word == "bilaterally") word = "bilateral";
    if (word == "left" || word == "right" || word == "both" || word == "bilateral") ++counts[word];
    word.clear();
  }
  return counts;
}

void add_differences(const std::map<std::string, int>& source, const std::map<std::string, int>& text,
                     std::vector<std::string>& problems) {
  for (const auto& [what, count] : source) {
    const auto found = text.find(what);
    if (found == text.end() || found->second < count) problems.push_back("lost " + what);
  }
  for (const auto& [what, count] : text) {
    const auto found = source.find(what);
    if (found == source.end() || found->second < count) problems.push_back("gained " + what);
  }
}

}  // namespace

std::string span_text(const SourceSpan& source) {
  return source.sentence + ":" + decimal(source.span.begin) + "-" + decimal(source.span.end);
}

std::vector<std::string> measurement_problems(std::string_view source, std::string_view text) {
  std::vector<std::string> problems;
  add_differences(measurement_counts(source), measurement_counts(text), problems);
  return problems;
}

std::vector<std::string> preservation_problems(std::string_view source, std::string_view text) {
  std::vector<std::string> problems = measurement_problems(source, text);
  add_differences(side_counts(source), side_counts(text), problems);
  return problems;
}

Result<WordingTable> WordingTable::parse(std::string_view text) {
  constexpr std::string_view arrow = " => ";
  WordingTable out;
  for (const RuleLine& line : rule_lines(text)) {
    const Place place{.path = "wording", .line = line.number};
    const std::size_t at = line.text.find(arrow);
    if (at == std::string_view::npos) {
      return Error(ErrorCode::invalid_data, "expected \"words => words\"", place);
    }
    Entry entry{ascii_lower(line.text.substr(0, at)), std::string(line.text.substr(at + arrow.size()))};
    const bool many = entry.from.ends_with("changes") || entry.from.ends_with("sequelae");
    entry.to_singular = many && entry.to.find(" and ") == std::string::npos;
    if (!preservation_problems("", entry.from + " " + entry.to).empty()) {
      return Error(ErrorCode::invalid_data, "a side or a measurement may not be worded anew", place);
    }
    out.entries_.push_back(std::move(entry));
  }
  std::stable_sort(out.entries_.begin(), out.entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.from.size() > b.from.size(); });
  return out;
}

const WordingTable& WordingTable::standard() {
  static const WordingTable table = [] {
    Result<WordingTable> parsed = parse(embedded_wording());
    FIDUCIAL_ASSERT(parsed.ok());
    return std::move(parsed).value();
  }();
  return table;
}

const WordingTable::Entry* WordingTable::longest_at(std::string_view lower, std::size_t at) const {
  for (const Entry& entry : entries_) {
    const std::size_t end = at + entry.from.size();
    if (lower.substr(at, entry.from.size()) == entry.from &&
        (end == lower.size() || !is_word_byte(lower[end]))) {
      return &entry;
    }
  }
  return nullptr;
}

std::string WordingTable::applied(std::string_view text) const {
  const std::string lower = ascii_lower(text);
  std::string out;
  std::vector<TextSpan> nouns;  // that were many
  for (std::size_t at = 0; at < text.size();) {
    const bool word_begins = is_word_byte(text[at]) && (at == 0 || !is_word_byte(text[at - 1]));
    const Entry* entry = word_begins ? longest_at(lower, at) : nullptr;
    if (entry == nullptr) {
      out += text[at++];
      continue;
    }
    // "LAP" is an abbreviation wherever it stands; a capital inside a sentence would begin another.
    const bool abbreviated = at > 0 && at + 1 < text.size() && is_capital(text[at + 1]);
    const bool capital = is_capital(text[at]) && !abbreviated && is_small(entry->to[0]);
    out += capital ? static_cast<char>(entry->to[0] - 'a' + 'A') : entry->to[0];
    out += entry->to.substr(1);
    if (entry->to_singular) nouns.push_back({out.size() - entry->to.size(), out.size()});
    at += entry->from.size();
  }
  for (auto noun = nouns.rbegin(); noun != nouns.rend(); ++noun) make_verb_singular(out, *noun);
  return out;
}

ReportStandardiser::ReportStandardiser() : divider_(section_rules()) {
  for (const std::string& name : section_rules().names()) {
    const auto found = std::find_if(report_sections.begin(), report_sections.end(),
                                    [&name](const ReportSection& section) { return section.name == name; });
    FIDUCIAL_ASSERT(found != report_sections.end());
    section_of_name_.push_back(static_cast<std::size_t>(found - report_sections.begin()));
  }
}

std::size_t ReportStandardiser::section_of(const SentenceRegions& answer, std::size_t before) const {
  return answer.regions.empty() ? before : section_of_name_[answer.regions.front()];
}

StandardReport ReportStandardiser::standardise(std::string_view findings, std::string_view impressions) {
  StandardReport report;
  const std::vector<Sentence> sentences = split_sentences(findings);
  const std::vector<SentenceRegions> answers = divider_.divide(findings, sentences);
  std::size_t section = 0;
  const auto standard_sentence = [&report](std::string_view text, const SourceSpan& place, std::string code) {
    const std::string_view source = place.span.of(text);
    StandardSentence out{std::move(code), WordingTable::standard().applied(source), std::string(source),
                         place};
    for (const std::string& problem : preservation_problems(source, out.text)) {
      report.problems.push_back(out.code + ": " + problem);
    }
    return out;
  };
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].content.size() == 0) continue;
    section = section_of(answers[i], section);
    auto& place = report.sections[section];
    place.push_back(standard_sentence(findings, {"F" + decimal(i), sentences[i].content},
                                      report_sections[section].letter + decimal(place.size())));
  }
  const std::vector<Sentence> judged = split_sentences(impressions);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (judged[i].content.size() == 0) continue;
    report.impressions.push_back(standard_sentence(impressions, {"I" + decimal(i), judged[i].content},
                                                   "I" + decimal(report.impressions.size())));
  }
  return report;
}

}  // namespace fiducial
