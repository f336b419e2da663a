#include "fiducial/text/answer_extraction.h"

#include <gtest/gtest.h>

#include "fiducial/tasks/diagnosis/reply_cleanup.h"

namespace fiducial {
namespace {

const std::array<std::string, 5> options = {"Viral pneumonia", "Pneumonia", "Sarcoidosis", "Crohn's disease",
                                            "Lung cancer"};

struct Reply {
  const char* text;
  AnswerRule rule;
  char letter = '-';
};

// What clean-up by strict rules and the ladder make of replies.
constexpr Reply replies[] = {
    {R"({"answer": "B"})", AnswerRule::json, 'B'},
    {R"x( {"explanation": "A or C", "answer": "(d)"} )x", AnswerRule::json, 'D'},
    {R"({"answer": "B."})", AnswerRule::json, 'B'},
    {R"({"answer": "Option E"})", AnswerRule::json, 'E'},
    {R"({"answer": "A, B"})", AnswerRule::none},
    {R"({"answer": "AB"})", AnswerRule::none},
    {R"({"answer": "A and B"})", AnswerRule::none},
    {R"({"answer": "A/B"})", AnswerRule::none},
    {R"({"answer": ["A", "B"]})", AnswerRule::none},
    {R"({"answer": null})", AnswerRule::none},
    {R"({"answer": 2})", AnswerRule::none},
    {R"({"answer": ""})", AnswerRule::none},
    {R"({"answer": "Sarcoidosis"})", AnswerRule::option_text, 'C'},
    {R"({"answer": "Sarcoidosis", "explanation": "not B"})", AnswerRule::option_text, 'C'},
    {R"({"answer": "C. Sarcoidosis"})", AnswerRule::json, 'C'},
    {R"({"answer": "B: sarcoidosis"})", AnswerRule::last_letter, 'B'},
    {"Answer: (D) Crohn's disease", AnswerRule::answer_line, 'D'},
    {R"({"other": "C"})", AnswerRule::last_letter, 'C'},
    {"```json\n{\"answer\": \"C\"}\n```", AnswerRule::json_inside, 'C'},
    {"Sure:\n```\n{\"answer\": \"C\"}\n```\nThat is A.", AnswerRule::json_inside, 'C'},
    {"```python\nprint()\n```\n```json\n{\"answer\": \"D\"}\n```", AnswerRule::json_inside, 'D'},
    {"I think {\"answer\": \"E\", \"x\": {\"y\": \"}\"}} is right", AnswerRule::json_inside, 'E'},
    {"{\"answer\": \"E\"", AnswerRule::last_letter, 'E'},
    {"{\"answer\": \"AE\"} and B", AnswerRule::none},
    {"Answer: B", AnswerRule::answer_line, 'B'},
    {"answer: b", AnswerRule::answer_line, 'B'},
    {"**Answer:** (B)", AnswerRule::answer_line, 'B'},
    {"**Final Answer**: **C**", AnswerRule::answer_line, 'C'},
    {"Answer: A\nWait.\nAnswer: D\nDone with E", AnswerRule::answer_line, 'D'},
    {"Answer: A, C", AnswerRule::none},
    {"Answer: A or C", AnswerRule::none},
    {"Answer: Sarcoidosis", AnswerRule::option_text, 'C'},
    {"The answer: B", AnswerRule::last_letter, 'B'},
    {"Answer B", AnswerRule::last_letter, 'B'},
    {"Answer: F", AnswerRule::none},
    {"so \\boxed{D}", AnswerRule::boxed, 'D'},
    {"so \\boxed{\\text{D}}", AnswerRule::boxed, 'D'},
    {"\\boxed{A} no, \\boxed{B} as C", AnswerRule::boxed, 'B'},
    {"\\boxed{AB}", AnswerRule::none},
    {"\\boxed{Sarcoidosis}", AnswerRule::option_text, 'C'},
    {"B", AnswerRule::last_letter, 'B'},
    {"b", AnswerRule::none},
    {"(C)", AnswerRule::last_letter, 'C'},
    {"I choose C, not A.", AnswerRule::last_letter, 'A'},
    {"A patient came", AnswerRule::last_letter, 'A'},
    {"Vitamin D deficiency", AnswerRule::last_letter, 'D'},
    {"BE or CD", AnswerRule::none},
    {"A, B", AnswerRule::none},
    {"ABC", AnswerRule::none},
    {"T2A and E2", AnswerRule::none},
    {"\xC3\x89"
     "A",
     AnswerRule::none},
    {"A_1", AnswerRule::none},
    {"sarcoidosis", AnswerRule::option_text, 'C'},
    {"It is SARCOIDOSIS!", AnswerRule::option_text, 'C'},
    {"crohn s disease", AnswerRule::option_text, 'D'},
    {"pneumonia", AnswerRule::option_text, 'B'},
    {"this is viral pneumonia", AnswerRule::none},
    {"sarcoidosis or lung cancer", AnswerRule::none},
    {"sarcoidosislike", AnswerRule::none},
    {"I cannot help with that.", AnswerRule::none},
    {"", AnswerRule::none},
    {"<think>A or B", AnswerRule::none},
    {"<think>A</think>Answer: C", AnswerRule::answer_line, 'C'},
    {"maybe A</think>\nC", AnswerRule::last_letter, 'C'},
    {"<answer>D</answer> E", AnswerRule::last_letter, 'D'},
    {"&lt;answer&gt;{\"answer\":\"E\"}", AnswerRule::json, 'E'},
    {"C<|im_end|>", AnswerRule::last_letter, 'C'},
};

TEST(AnswerExtraction, reads_a_table_of_replies) {
  for (const Reply& reply : replies) {
    const ExtractedAnswer answer = extract_answer(cleaned_reply(reply.text, Scorer::strict), options);
    EXPECT_EQ(to_string(answer.rule), to_string(reply.rule)) << reply.text;
    EXPECT_EQ(answer.letter.value_or('-'), reply.letter) << reply.text;
  }
  EXPECT_GE(std::size(replies), 60U);
}

TEST(AnswerExtraction, counts_only_rules_a_to_c_and_plain_letters_as_strict) {
  EXPECT_TRUE(is_strict(AnswerRule::letter));
  EXPECT_TRUE(is_strict(AnswerRule::answer_line));
  EXPECT_FALSE(is_strict(AnswerRule::boxed));
  EXPECT_FALSE(is_strict(AnswerRule::none));
}

TEST(ReplyCleanup, takes_the_first_answer_tag_to_its_closing_tag_or_the_end) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    EXPECT_EQ(cleaned_reply("<think>x</think><answer>\n a </answer><answer>b</answer>", scorer), "a");
    EXPECT_EQ(cleaned_reply("x < ANSWER id='1'> B <|im_end|>", scorer), "B <|im_end|>");
    EXPECT_EQ(cleaned_reply("&lt;answer&gt;C", scorer), "C");
    EXPECT_EQ(cleaned_reply("<answers>C", scorer), "<answers>C");
  }
}

TEST(ReplyCleanup, removes_reasoning_up_to_its_closing_tag_or_the_end) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    EXPECT_EQ(cleaned_reply("<think>a</think> b  c <|endoftext|>", scorer), "b  c");
    EXPECT_EQ(cleaned_reply("<THINK type=x>a", scorer), "");
    EXPECT_EQ(cleaned_reply("&amp;lt;think&amp;gt;a&amp;lt;/think&amp;gt;b", scorer), "b");
  }
}

TEST(ReplyCleanup, keeps_what_stands_before_a_lone_closing_tag_by_official_rules_only) {
  EXPECT_EQ(cleaned_reply("reasons</think>\nB", Scorer::official), "reasons\nB");
  EXPECT_EQ(cleaned_reply("reasons</think>\nB", Scorer::strict), "B");
  EXPECT_EQ(cleaned_reply("a<think>b</think>c</think>d", Scorer::official), "acd");
  EXPECT_EQ(cleaned_reply("a<think>b</think>c</think>d", Scorer::strict), "d");
}

// A search that begins anew at every tag would take minutes.
TEST(ReplyCleanup, reads_a_megabyte_of_tags) {
  const auto many = [](const std::string& text) {
    std::string out;
    while (out.size() < (std::size_t{1} << 20)) out += text;
    return out;
  };
  EXPECT_EQ(cleaned_reply(many("</think>") + "B", Scorer::strict), "B");
  EXPECT_EQ(cleaned_reply(many("<think>A</think>") + "B", Scorer::official), "B");
  EXPECT_EQ(cleaned_reply(many("<think ") + "&amp;gt;", Scorer::strict).substr(0, 6), "<think");
  EXPECT_EQ(cleaned_reply(many("</answer ") + "> B", Scorer::strict).substr(0, 8), "</answer");
}

TEST(ReplyCleanup, trims_white_space_of_every_script) {
  EXPECT_EQ(cleaned_reply("\xC2\xA0\xE3\x80\x80 \t x y\xE2\x80\xA8\n", Scorer::strict), "x y");
}

}  // namespace
}  // namespace fiducial
