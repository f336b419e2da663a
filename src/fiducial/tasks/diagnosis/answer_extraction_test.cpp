#include "fiducial/text/answer_extraction.h"

#include <gtest/gtest.h>

#include "fiducial/eval/inputs/reply_cleanup.h"

namespace fiducial {
namespace {

const std::array<std::string, 5> options = {"Viral pneumonia", "Pneumonia", "Sarcoidosis", "Crohn's disease",
                                            "Lung cancer"};

struct Reply {
  const char* text;
  AnswerRule rule;
  char letter = '-';
};

// What clean-up by strict rules and the ladder make of replies with tags and JSON; docs/formats/answers.md
// has more.
constexpr Reply replies[] = {
    {R"x( {"explanation": "A or C", "answer": "(d)"} )x", AnswerRule::json, 'D'},
    {R"({"answer": "Option E"})", AnswerRule::json, 'E'},
    {R"({"answer": "A/B"})", AnswerRule::ambiguous},
    {R"({"answer": 2})", AnswerRule::none},
    {R"({"answer": []})", AnswerRule::none},
    {R"({"answer": "Sarcoidosis", "explanation": "not B"})", AnswerRule::option_text, 'C'},
    {R"({"answer": "C. Sarcoidosis"})", AnswerRule::json, 'C'},
    {R"({"answer": "B: sarcoidosis"})", AnswerRule::json, 'B'},
    {"Sure:\n```\n{\"answer\": \"C\"}\n```\nThat is A.", AnswerRule::json, 'C'},
    {"```python\nprint()\n```\n```json\n{\"answer\": \"D\"}\n```", AnswerRule::json, 'D'},
    {"I think {\"answer\": \"E\", \"x\": {\"y\": \"}\"}} is right", AnswerRule::json, 'E'},
    {"{\"answer\": \"E\"", AnswerRule::statement, 'E'},
    {"{\"answer\": \"AE\"} and B", AnswerRule::ambiguous},
    {"\\boxed{A} no, \\boxed{B} as C", AnswerRule::boxed, 'B'},
    {"\\boxed{AB}", AnswerRule::ambiguous},
    {"BE or CD", AnswerRule::ambiguous},
    {"T2A and E2", AnswerRule::none},
    {"\xC3\x89"
     "A",
     AnswerRule::none},
    {"A_1", AnswerRule::none},
    {"sarcoidosislike", AnswerRule::none},
    {"<think>A or B", AnswerRule::none},
    {"<think>A</think>Answer: C", AnswerRule::statement, 'C'},
    {"maybe A</think>\nC", AnswerRule::letter, 'C'},
    {"<answer>D</answer> E", AnswerRule::letter, 'D'},
    {"&lt;answer&gt;{\"answer\":\"E\"}", AnswerRule::json, 'E'},
    {"C<|im_end|>", AnswerRule::letter, 'C'},
    {"<think>as <answer>A</answer>", AnswerRule::letter, 'A'},
    {"<|channel|>analysis<|message|>Maybe A.<|end|><|start|>assistant<|channel|>final<|message|>E",
     AnswerRule::letter, 'E'},
    {"[THINK]The answer is A.[/THINK]D", AnswerRule::letter, 'D'},
    {"| Option | Verdict |\n|---|---|\n| A | \xE2\x9C\x97 |\n| B | \xE2\x9C\x93 |\n| C | \xE2\x9C\x97 |",
     AnswerRule::statement, 'B'},
};

TEST(AnswerExtraction, reads_a_table_of_replies) {
  for (const Reply& reply : replies) {
    const ExtractedAnswer answer = extract_answer(cleaned_reply(reply.text, Scorer::strict), options);
    EXPECT_EQ(to_string(answer.rule), to_string(reply.rule)) << reply.text;
    EXPECT_EQ(answer.letter.value_or('-'), reply.letter) << reply.text;
  }
}

TEST(AnswerExtraction, counts_only_letters_json_and_statements_as_strict) {
  EXPECT_TRUE(is_strict(AnswerRule::letter));
  EXPECT_TRUE(is_strict(AnswerRule::statement));
  EXPECT_FALSE(is_strict(AnswerRule::boxed));
  EXPECT_FALSE(is_strict(AnswerRule::ambiguous));
  EXPECT_FALSE(is_strict(AnswerRule::none));
}

TEST(AnswerExtraction, means_the_first_of_equal_options_only_where_that_is_asked_for) {
  const std::array<std::string, 5> equal = {"Gout", "Sarcoidosis", "Lymphoma", "Sarcoidosis", "Asthma"};
  EXPECT_EQ(extract_answer("sarcoidosis", equal).rule, AnswerRule::ambiguous);
  EXPECT_EQ(extract_answer("sarcoidosis", equal, true), (ExtractedAnswer{'B', AnswerRule::option_text}));
  EXPECT_EQ(extract_answer("D. Sarcoidosis", equal).letter, 'D');
}

TEST(AnswerExtraction, takes_a_part_of_an_option_that_no_other_has) {
  const std::array<std::string, 5> parts = {"Dermatomyositis / Polymyositis", "Tuberculosis (TB)", "Lymphoma",
                                            "Acute appendicitis", "Chronic appendicitis"};
  EXPECT_EQ(extract_answer("polymyositis", parts).letter, 'A');
  EXPECT_EQ(extract_answer("The diagnosis is tuberculosis.", parts).letter, 'B');
  EXPECT_EQ(extract_answer("appendicitis", parts).letter, std::nullopt);
}

// A search that begins anew at every mention would take minutes.
TEST(AnswerExtraction, reads_a_long_sentence_full_of_letters) {
  std::string text;
  while (text.size() < (std::size_t{1} << 18)) text += "B and the A, is C not {sarcoidosis ";
  EXPECT_EQ(extract_answer(text + ". Final answer: D", options).letter, 'D');
}

// A model that answers twice stands by its last word; the published rules take the first.
TEST(ReplyCleanup, takes_one_of_several_answer_tags_by_each_rule) {
  const std::string twice = "<think>x</think><answer>\n a </answer><answer>b</answer>";
  EXPECT_EQ(cleaned_reply(twice, Scorer::strict), "b");
  EXPECT_EQ(cleaned_reply(twice + "<answer> </answer>", Scorer::strict), "b");
  EXPECT_EQ(cleaned_reply(twice, Scorer::official), "a");
}

TEST(ReplyCleanup, takes_an_answer_tag_to_its_closing_tag_or_the_end) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    EXPECT_EQ(cleaned_reply("<think>x</think><answer>\n a </answer>", scorer), "a");
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

TEST(ReplyCleanup, takes_end_tokens_out_in_any_case) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    EXPECT_EQ(cleaned_reply("B<|IM_END|>", scorer), "B");
    EXPECT_EQ(cleaned_reply("<|EndOfText|>B <|im_end", scorer), "B <|im_end");
  }
}

TEST(ReplyCleanup, takes_a_closing_tag_with_anything_but_its_name_for_text) {
  for (const Scorer scorer : {Scorer::strict, Scorer::official}) {
    EXPECT_EQ(cleaned_reply("x </think the answer is B as 3 > 2", scorer),
              "x </think the answer is B as 3 > 2");
    EXPECT_EQ(cleaned_reply("<answer>B</answer C > D", scorer), "B</answer C > D");
    EXPECT_EQ(cleaned_reply("<think>a</think x>b</think\n>B", scorer), "B");
  }
}

// Expected texts were made with the published function.
TEST(ReplyCleanup, treats_malformed_tags_as_published_by_official_rules) {
  const auto official = [](const char* text) { return cleaned_reply(text, Scorer::official); };
  EXPECT_EQ(official("<think>a&amp;lt;/think&amp;gt;B"), "");
  EXPECT_EQ(official("&amp;lt;think&amp;gt;a</think>B"), "");
  EXPECT_EQ(official("<think>a<answer B"), "<answer B");
  EXPECT_EQ(official("&amp;lt;think&amp;gt;a&amp;lt;answer&amp;gt;B"), "&lt;answer&gt;B");
  EXPECT_EQ(official("a< /think>B"), "a< /think>B");
  EXPECT_EQ(official("<think\xE2\x80\x94x>a</think>B"), "B");
  EXPECT_EQ(official("&amp;lt;think a=&amp;amp; b&amp;gt;c&amp;lt;/think&amp;gt;B"),
            "&lt;think a=&amp; b&gt;cB");
  EXPECT_EQ(official("</th<think>x</think>ink>B"), "</think>B");
}

TEST(ReplyCleanup, pairs_plain_and_escaped_tags_by_strict_rules) {
  const auto strict = [](const char* text) { return cleaned_reply(text, Scorer::strict); };
  EXPECT_EQ(strict("<think>a&amp;lt;/think&amp;gt;B"), "B");
  EXPECT_EQ(strict("a< / think >B"), "B");
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
  EXPECT_EQ(cleaned_reply(many("<think>A<answer "), Scorer::official).substr(0, 7), "A<answe");
  EXPECT_EQ(cleaned_reply(many("&amp;lt;think "), Scorer::official).substr(0, 9), "&lt;think");
  EXPECT_EQ(cleaned_reply(many("<think ") + "&amp;gt;", Scorer::strict).substr(0, 6), "<think");
  EXPECT_EQ(cleaned_reply(many("</answer ") + "> B", Scorer::strict).substr(0, 8), "</answer");
}

TEST(ReplyCleanup, trims_white_space_of_every_script) {
  EXPECT_EQ(cleaned_reply("\xC2\xA0\xE3\x80\x80 \t x y\xE2\x80\xA8\n", Scorer::strict), "x y");
}

}  // namespace
}  // namespace fiducial
