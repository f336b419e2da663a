#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/findings/sentence_regions.h"

namespace fiducial {

// A section of a standardised report and the letter of its codes (L0, L1, ...).
struct ReportSection {
  char letter;
  std::string_view name;
};

// As ReXGroundingCT orders them.
inline constexpr std::array<ReportSection, 7> report_sections{{{'L', "Lungs/Airways/Pleura"},
                                                               {'H', "Heart/Vessels"},
                                                               {'M', "Mediastinum/Hila"},
                                                               {'C', "Chest wall/Axilla"},
                                                               {'N', "Lower neck"},
                                                               {'B', "Bones"},
                                                               {'A', "Upper abdomen"}}};

// Where a report says something: the sentence as the report itself numbers it ("F3" of findings, "I0" of
// impressions), and the characters, in findings or impressions.
struct SourceSpan {
  std::string sentence;
  TextSpan span;

  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

// "F3:120-163".
std::string span_text(const SourceSpan& source);

struct StandardSentence {
  std::string code;   // "L0"; impressions "I0"
  std::string text;   // in standard words
  std::string words;  // as the report writes it; empty where no report is at hand
  SourceSpan source;  // of the words; no sentence where no report is at hand

  // What is stated and what is denied is read from these, never from words that stand for them.
  const std::string& original() const { return words.empty() ? text : words; }
};

// A report in standard words, its findings sorted into sections. No sentence, measurement or side is lost,
// and where one were, problems would say so.
struct StandardReport {
  std::array<std::vector<StandardSentence>, report_sections.size()> sections;
  std::vector<StandardSentence> impressions;
  std::vector<std::string> problems;
};

// What a text lost or gained against its source: measurements; measurements and words of sides. Empty:
// nothing.
std::vector<std::string> measurement_problems(std::string_view source, std::string_view text);
std::vector<std::string> preservation_problems(std::string_view source, std::string_view text);

// Words that stand for others (data/wording.txt says how).
class WordingTable {
 public:
  static Result<WordingTable> parse(std::string_view text);
  static const WordingTable& standard();

  std::string applied(std::string_view text) const;

 private:
  struct Entry {
    std::string from;  // lower case
    std::string to;
    bool to_singular = false;  // many are one afterwards: "emphysematous changes are" is "emphysema is"
  };

  const Entry* longest_at(std::string_view lower, std::size_t at) const;

  std::vector<Entry> entries_;  // the longest first
};

// Standardises reports. Keeps memory from one report to the next; one thread at a time.
class ReportStandardiser {
 public:
  ReportStandardiser();

  StandardReport standardise(std::string_view findings, std::string_view impressions);

 private:
  std::size_t section_of(const SentenceRegions& answer, std::size_t before) const;

  ReportDivider divider_;
  std::vector<std::size_t> section_of_name_;  // of the rules, in report_sections
};

}  // namespace fiducial
