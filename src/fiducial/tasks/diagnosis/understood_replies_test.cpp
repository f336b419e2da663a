#include <array>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/eval/inputs/reply_cleanup.h"
#include "fiducial/text/answer_extraction.h"

namespace fiducial {
namespace {

const std::array<std::string, 5> documented_options = {"Viral pneumonia", "Pneumonia", "Sarcoidosis",
                                                       "Crohn's disease", "Lung cancer"};

struct DocumentedReply {
  std::string text;
  std::string answer;
  std::string rule;
};

std::string with_line_ends(std::string text) {
  constexpr std::string_view sign = "⏎";
  for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, at)) {
    text.replace(at, sign.size(), "\n");
  }
  return text;
}

// What stands between the backticks of a cell, of which a reply with backticks has more.
std::string code_of(std::string cell) {
  std::size_t ticks = 0;
  while (ticks < cell.size() && cell[ticks] == '`') ++ticks;
  cell = cell.substr(ticks, cell.size() - 2 * ticks);
  return ticks > 1 ? cell.substr(1, cell.size() - 2) : cell;
}

// Rows "| `reply` | answer | rule |" of the documentation.
std::vector<DocumentedReply> documented_replies() {
  std::ifstream file("docs/formats/answers.md");
  std::vector<DocumentedReply> out;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t rule = line.rfind(" | ");
    const std::size_t answer = line.rfind(" | ", rule - 1);
    if (answer < 3 || answer == rule) continue;
    out.push_back({with_line_ends(code_of(line.substr(2, answer - 2))),
                   line.substr(answer + 3, rule - answer - 3),
                   line.substr(rule + 3, line.size() - rule - 5)});
  }
  return out;
}

TEST(UnderstoodReplies, are_read_as_the_documentation_says) {
  std::size_t read = 0;
  for (const DocumentedReply& each : documented_replies()) {
    if (each.answer != "none" && each.answer.size() != 1) continue;  // a table of something else
    ++read;
    const ExtractedAnswer answer =
        extract_answer(cleaned_reply(each.text, Scorer::strict), documented_options);
    EXPECT_EQ(answer.letter ? std::string(1, *answer.letter) : "none", each.answer) << each.text;
    EXPECT_EQ(to_string(answer.rule), each.rule) << each.text;
  }
  EXPECT_GE(read, 150U);
}

// Replies that were written when the rules were done (the rules were mended where they misread one): the
// letter, or "?" ambiguous, "R" refused, "-" none.
TEST(UnderstoodReplies, written_after_the_rules_are_read_as_people_read_them) {
  std::ifstream file("tests/reference/replies_kept_aside.tsv");
  std::size_t read = 0;
  std::size_t right = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    ++read;
    const ExtractedAnswer answer = extract_answer(
        cleaned_reply(with_line_ends(line.substr(tab + 1)), Scorer::strict), documented_options);
    const std::string expected = line.substr(0, tab);
    const std::string got = answer.letter                          ? std::string(1, *answer.letter)
                            : answer.rule == AnswerRule::ambiguous ? "?"
                            : answer.rule == AnswerRule::refused   ? "R"
                                                                   : "-";
    if (got == expected) {
      ++right;
    } else {
      std::cout << "taken for " << got << " instead of " << line << "\n";
    }
  }
  EXPECT_GE(read, 200U);
  EXPECT_GE(right * 100, read * 97);
}

std::array<std::string, 5> options_in(std::string_view cell) {
  std::array<std::string, 5> out;
  for (std::string& option : out) {
    const std::size_t end = std::min(cell.find('|'), cell.size());
    option = cell.substr(0, end);
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
  return out;
}

// Lines "letter, options, reply" that were written before the rules were read. No answer is one answer here,
// whatever its reason.
TEST(UnderstoodReplies, to_other_questions_are_seldom_missed_and_hardly_ever_taken_for_another) {
  std::ifstream file("tests/reference/replies_by_case.tsv");
  std::size_t read = 0;
  std::size_t missed = 0;
  std::size_t mistaken = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t choices = line.find('\t') + 1;
    const std::size_t reply = line.find('\t', choices) + 1;
    ASSERT_GT(choices, 0U);
    ASSERT_GT(reply, choices);
    ++read;
    const ExtractedAnswer answer =
        extract_answer(cleaned_reply(with_line_ends(line.substr(reply)), Scorer::strict),
                       options_in(std::string_view(line).substr(choices, reply - 1 - choices)));
    const bool has_letter = line[0] >= 'A' && line[0] <= 'E';
    if (has_letter && !answer.letter) ++missed;
    if (answer.letter && *answer.letter != line[0]) {
      ++mistaken;
      std::cout << "taken for " << *answer.letter << ": " << line << "\n";
    }
  }
  EXPECT_GE(read, 690U);
  EXPECT_LE(missed * 100, read * 4);
  EXPECT_LE(mistaken, 3U);
}

}  // namespace
}  // namespace fiducial
