#include "fiducial/curate/engine/stage_example.h"

namespace fiducial {
namespace {

using Statuses = std::vector<std::string>;

constexpr const char* three_cases =
    "{\"title\": \"a\"}\n"
    "{\"title\": \"b\"}\n"
    "{\"title\": \"c\"}\n";

StageExample removal(CurationMode mode, const std::string& when) {
  StageExample example("remove", mode);
  example.file("CASES", three_cases)
      .file("LEAKS",
            "{\"title\": \"a\", \"has_leak\": false}\n"
            "{\"title\": \"a\", \"has_leak\": true, \"includes_correct_answer\": false}\n"
            "{\"title\": \"b\", \"has_leak\": null}\n")
      .value("when", when);
  return example;
}

TEST(RemoveStage, takes_the_worst_of_several_rows_and_rejects_what_could_not_be_judged) {
  EXPECT_EQ(removal(CurationMode::strict, "any").run(),
            (Statuses{"removed leak", "rejected judge_failed", "ok not_judged"}));
}

TEST(RemoveStage, takes_failures_for_clean_by_the_published_rules) {
  EXPECT_EQ(removal(CurationMode::official, "any").run(), (Statuses{"removed leak", "ok", "ok not_judged"}));
}

TEST(RemoveStage, keeps_a_case_whose_leak_is_not_the_key_where_only_that_counts) {
  EXPECT_EQ(removal(CurationMode::official, "key").run().front(), "ok");
}

constexpr const char* case_with_images =
    "{\"title\": \"a\", \"image_01_id\": \"x\", \"image_02_id\": \"y\"}\n"
    "{\"title\": \"b\", \"image_01_id\": \"z\"}\n";

TEST(AuditStage, needs_a_known_label_for_every_image_of_a_case_it_names) {
  StageExample whole("audit", CurationMode::strict);
  whole.file("CASES", case_with_images)
      .file("LABELS", "title,image_id,supportive,inconsistent\na,x,Supportive,no\na,y,not supportive,yes\n",
            ".csv");
  EXPECT_EQ(whole.run(), (Statuses{"changed inconsistent", "ok not_audited"}));
  EXPECT_EQ(whole.written().front().find("image_support")->compact(),
            R"({"supportive":{"image_01":true,"image_02":false},"inconsistent":true})");

  StageExample missing("audit", CurationMode::strict);
  missing.file("CASES", case_with_images)
      .file("LABELS", "title,image_id,supportive,inconsistent\na,x,yes,\nb,z,maybe,\n", ".csv");
  EXPECT_EQ(missing.run(), (Statuses{"rejected image_not_audited", "rejected label_unknown"}));
}

TEST(ModalityStage, rejects_a_modality_outside_the_vocabulary_and_an_image_without_one) {
  StageExample example("modality", CurationMode::strict);
  example.file("CASES", case_with_images)
      .file("LABELS", "title,image_id,modality,sub_modality\na,x,CT,Axial\nb,z,Crystal ball,\n", ".csv");
  EXPECT_EQ(example.run(), (Statuses{"rejected no_label", "rejected modality_unknown"}));
}

TEST(SplitStepsStage, cuts_by_rules_where_no_model_is_asked_and_says_where_nothing_is_to_cut) {
  StageExample example("split-steps", CurationMode::strict);
  example.file("CASES",
               "{\"title\": \"a\", \"parsed_explanation\": \"There is a mass. It is calcified.\"}\n"
               "{\"title\": \"b\", \"parsed_explanation\": \"  \"}\n");
  EXPECT_EQ(example.run(), (Statuses{"ok", "ok no_explanation"}));
  EXPECT_EQ(example.written()[0].find("explanation_step_count")->compact(), "2");
  EXPECT_EQ(example.written()[1].find("explanation_steps")->compact(), "[]");
}

TEST(OptionsStage, rejects_strictly_what_the_published_rules_let_through) {
  const std::string cases =
      "{\"title\": \"a\", \"options\": [\"x\", \"y\"], \"correct_answer\": \"Z\"}\n"
      "{\"title\": \"b\", \"options\": [\"x\", \"X\", \"y\"], \"correct_answer\": \"A\"}\n"
      "{\"title\": \"c\", \"options\": [], \"correct_answer\": \"A\"}\n"
      "{\"title\": \"d\", \"options\": [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\"], \"correct_answer\": "
      "\"F\"}\n";
  EXPECT_EQ(
      StageExample("options", CurationMode::strict).file("CASES", cases).seed(1).run(),
      (Statuses{"rejected key_unknown", "rejected duplicate_options", "rejected no_options", "changed"}));
  EXPECT_EQ(StageExample("options", CurationMode::official).file("CASES", cases).seed(1).run(),
            (Statuses{"ok key_lost", "ok fewer_than_five", "ok key_lost", "changed"}));
}

TEST(BalanceStage, gives_every_letter_the_key_equally_often) {
  std::string cases;
  for (int i = 0; i < 25; ++i) {
    cases +=
        "{\"title\": \"" + std::string(1, static_cast<char>('a' + i)) +
        "\", \"options\": [\"the right one\", \"b\", \"c\", \"d\", \"a much longer distractor\", \"f\"], "
        "\"correct_answer\": \"A\"}\n";
  }
  StageExample example("balance", CurationMode::strict);
  example.file("CASES", cases).seed(11).run();
  std::map<std::string, int> keys;
  for (const Json& item : example.written()) {
    const std::string letter = *item.find("correct_answer")->as_string();
    ++keys[letter];
    EXPECT_EQ(*item.find("options")->find(letter)->as_string(), "the right one");
    EXPECT_EQ(item.find("options")->as_object()->size(), 5U);
  }
  for (const char* letter : {"A", "B", "C", "D", "E"}) EXPECT_EQ(keys[letter], 5) << letter;
}

}  // namespace
}  // namespace fiducial
