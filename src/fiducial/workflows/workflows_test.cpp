#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/base/json_fields.h"
#include "fiducial/workflows/edit_similarity.h"
#include "fiducial/workflows/exchange.h"
#include "fiducial/workflows/image_budget.h"
#include "fiducial/workflows/letter_probabilities.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {
namespace {

TEST(ImageBudget, shows_nested_images_in_their_order) {
  for (const char* rule : {"spread", "prefix"}) {
    for (std::size_t images = 1; images <= 49; ++images) {
      std::vector<std::size_t> before;
      for (const char* share : {"0%", "20%", "40%", "60%", "80%", "100%"}) {
        const ImageBudget budget = *ImageBudget::parse(share, rule);
        const std::vector<std::size_t> chosen = budget.chosen(images);
        EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
        EXPECT_TRUE(std::includes(chosen.begin(), chosen.end(), before.begin(), before.end()))
            << images << share;
        EXPECT_EQ(chosen.size(), budget.shown_of(images));
        before = chosen;
      }
      EXPECT_EQ(before.size(), images);
    }
  }
}

TEST(ImageBudget, rounds_half_up_and_shows_one_unless_none_is_asked_for) {
  EXPECT_EQ(ImageBudget::parse("20%", "")->shown_of(1), 1U);
  EXPECT_EQ(ImageBudget::parse("0%", "")->shown_of(9), 0U);
  EXPECT_EQ(ImageBudget::parse("50%", "")->shown_of(5), 3U);
  EXPECT_EQ(ImageBudget::parse("4", "")->shown_of(9), 4U);
  EXPECT_EQ(ImageBudget::parse("4", "")->shown_of(3), 3U);
  EXPECT_EQ(ImageBudget::parse("60%", "spread")->chosen(5), (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(ImageBudget::parse("60%", "prefix")->chosen(5), (std::vector<std::size_t>{0, 1, 2}));
  for (const char* bad : {"", "%", "101%", "-1", "nan%", "x"})
    EXPECT_FALSE(ImageBudget::parse(bad, "").ok()) << bad;
}

TEST(Prompts, are_filled_and_refuse_unknown_variables) {
  const PromptWords words =
      *PromptWords::parse("[system]\nA {{b}}.\n[user]\n{{c}} {x}\n", {"b", "c"}, "p.txt");
  EXPECT_EQ(words.system({{"b", "{{c}}"}, {"c", "no"}}), "A {{c}}.");
  EXPECT_EQ(words.user({{"c", "yes"}}), "yes {x}");
  const auto unknown = PromptWords::parse("[user]\nok\n{{key}}", {"history"}, "p.txt");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().text().substr(0, 13), "p.txt, line 3");
  EXPECT_FALSE(PromptWords::parse("words", {}, "p").ok());
  EXPECT_FALSE(PromptWords::parse("[system]\nwords", {}, "p").ok());
}

TEST(Prompts, of_ours_are_all_sound) {
  for (const std::string& name : prompt_names())
    EXPECT_TRUE(PromptWords::parse(embedded_prompt(name), prompt_variables(name), name).ok()) << name;
}

TEST(EditSimilarity, is_one_less_the_share_of_characters_to_change) {
  EXPECT_DOUBLE_EQ(edit_similarity("kitten", "sitting"), 1 - 3.0 / 7);
  EXPECT_DOUBLE_EQ(edit_similarity(" same ", "same\n"), 1);
  EXPECT_DOUBLE_EQ(edit_similarity("", ""), 1);
  EXPECT_DOUBLE_EQ(edit_similarity("", "ab"), 0);
  EXPECT_DOUBLE_EQ(edit_similarity("\xc3\xa9t\xc3\xa9", "ete"), 1 - 2.0 / 3);
}

TEST(LetterProbabilities, are_those_of_the_token_that_answers) {
  const Json tokens =
      *parse_json(R"([{"token":"{\"","logprob":0},{"token":"A","logprob":0},{"token":"answer\":","logprob":0},
    {"token":" \"B","logprob":-0.5,"top_logprobs":[{"token":"B","logprob":-0.6931471805599453},
    {"token":" \"B","logprob":-1.3862943611198906},{"token":"A","logprob":-2.0794415416798357},{"token":"x","logprob":-3}]}])");
  const Json found = letter_probabilities(tokens);
  EXPECT_DOUBLE_EQ(*number_at(found, "B"), 0.75);
  EXPECT_DOUBLE_EQ(*number_at(found, "A"), 0.125);
  EXPECT_DOUBLE_EQ(*number_at(found, "E"), 0);
  EXPECT_TRUE(letter_probabilities(Json()).is_null());
  EXPECT_TRUE(letter_probabilities(*parse_json(R"([{"token":"x"}])")).is_null());
}

const PromptWords again = *PromptWords::parse("[user]\n{{problem}}", {"problem"}, "again");

Heard said(const std::string& text, const std::string& finish = "stop") {
  return {.reply = ChatReply{.text = text, .finish = finish}, .error = {}};
}

Exchange question() { return {"answer", ChatRequest{.schema = answer_schema()}, 1}; }

TEST(Exchanges, take_a_reply_of_the_form_that_was_asked_for) {
  for (const char* text :
       {R"({"answer":"B","explanation":"x"})", "```json\n{\"answer\":\"B\",\"explanation\":\"x\"}\n```",
        "<think>A?</think> {\"answer\":\"B\",\"explanation\":\"x\"}"}) {
    Exchange exchange = question();
    ASSERT_TRUE(exchange.take_request());
    exchange.hear(said(text), again);
    EXPECT_TRUE(exchange.is_finished());
    EXPECT_EQ(exchange.said("answer"), "B") << text;
  }
}

TEST(Exchanges, ask_once_more_for_another_form_and_then_keep_the_text) {
  Exchange exchange = question();
  const std::string first = exchange.take_request()->hash();
  exchange.hear(said("Answer: B"), again);
  EXPECT_FALSE(exchange.is_finished());
  const auto second = exchange.take_request();
  ASSERT_TRUE(second);
  EXPECT_NE(second->hash(), first);
  EXPECT_EQ(second->messages.back().parts[0].text, "it is no JSON");
  EXPECT_FALSE(exchange.take_request());
  exchange.hear(said(R"({"answer":"F","explanation":""})"), again);
  EXPECT_TRUE(exchange.is_finished());
  EXPECT_FALSE(exchange.has_failed());
  EXPECT_TRUE(exchange.value().is_null());
}

TEST(Exchanges, fail_where_a_reply_is_cut_off_withheld_or_empty) {
  for (const Heard& heard :
       {said("{", "length"), said("B", "filter"), said(" "), Heard{.reply = {}, .error = "no"}}) {
    Exchange exchange = question();
    exchange.hear(heard, again);
    EXPECT_TRUE(exchange.is_finished());
    EXPECT_TRUE(exchange.has_failed());
  }
}

const PromptWords letter_alone = *PromptWords::parse("[user]\nThe letter?", {}, "recovery");

Exchange recovering_question() {
  Exchange out("answer",
               ChatRequest{.parameters = Json::object({{"temperature", 0.6}, {"max_tokens", 8192}}),
                           .schema = answer_schema()},
               0);
  out.recover_with({.words = &letter_alone, .options = {"Flu", "Gout", "Lupus", "Sepsis", "Asthma"}});
  return out;
}

TEST(Recovery, asks_for_the_letter_in_the_same_conversation_once) {
  for (const Heard& unread : {said("I would look at the lung again."), said("<think>Flu, or", "length")}) {
    Exchange exchange = recovering_question();
    const std::string first = exchange.take_request()->hash();
    exchange.hear(unread, again);
    EXPECT_FALSE(exchange.is_finished());
    EXPECT_EQ(exchange.asking_step(), "recovery");
    const auto second = exchange.take_request();
    ASSERT_TRUE(second);
    EXPECT_NE(second->hash(), first);
    EXPECT_EQ(second->messages.front().parts[0].text, unread.reply->text);
    EXPECT_EQ(second->messages.back().parts[0].text, "The letter?");
    EXPECT_TRUE(second->schema.is_null());
    EXPECT_EQ(second->parameters.compact(), R"({"temperature":0,"max_tokens":512})");
    exchange.hear(said("**B**"), again);
    EXPECT_TRUE(exchange.is_finished());
    EXPECT_FALSE(exchange.has_failed());
    EXPECT_EQ(exchange.recovered_letter(), 'B');
    EXPECT_EQ(exchange.text(), unread.reply->text);
    EXPECT_EQ(exchange.calls(), 2);
  }
}

TEST(Recovery, leaves_what_it_cannot_mend_as_it_was) {
  for (const Heard& second :
       {said("None of them."), said("B", "length"), Heard{.reply = {}, .error = "no"}}) {
    Exchange exchange = recovering_question();
    exchange.hear(said("<think>Flu, or", "length"), again);
    exchange.hear(second, again);
    EXPECT_TRUE(exchange.is_finished());
    EXPECT_EQ(exchange.recovered_letter(), 0);
    EXPECT_EQ(failure_status("answer", exchange.failure()), "length");
  }
}

TEST(Recovery, is_not_for_answers_that_can_be_read_nor_for_refusals) {
  for (const Heard& heard :
       {said(R"({"answer":"C","explanation":"x"})"), said("The answer is C."),
        said("I cannot help with that.", "refusal"), said("I cannot answer this question."), said(" ")}) {
    Exchange exchange = recovering_question();
    exchange.hear(heard, again);
    EXPECT_TRUE(exchange.is_finished()) << heard.reply->text;
    EXPECT_EQ(exchange.recovered_letter(), 0);
  }
}

TEST(Failures, have_a_status) {
  EXPECT_EQ(failure_status("answer", "overflow: status 400: too many images"), "overflow");
  EXPECT_EQ(failure_status("answer", "blocked: a step before it failed"), "blocked");
  EXPECT_EQ(failure_status("images", "image 1: it is no picture"), "images");
  EXPECT_EQ(failure_status("answer", "no reply in time"), "error");
}

}  // namespace
}  // namespace fiducial
