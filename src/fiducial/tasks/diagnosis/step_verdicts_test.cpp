#include "fiducial/tasks/diagnosis/step_verdicts.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

VerdictTable table_of(const std::string& jsonl) {
  const Result<std::vector<Record>> records = parse_jsonl_records(jsonl);
  EXPECT_TRUE(records.ok()) << records.error().text();
  Result<VerdictTable> out = verdict_table(*records, "verdicts.jsonl");
  EXPECT_TRUE(out.ok()) << out.error().text();
  return *std::move(out);
}

// "ok+!" is factual and critical, "ok-" false; "missing", "invalid".
std::string statuses(const std::vector<JudgedStep>& steps) {
  std::string out;
  for (const JudgedStep& step : steps) {
    out += (out.empty() ? "" : " ") + std::string(to_string(step.verdict.status));
    if (step.verdict.status != VerdictStatus::ok) continue;
    out += step.verdict.is_factual ? "+" : "-";
    if (step.verdict.is_critical) out += "!";
  }
  return out;
}

std::string line(const std::string& checks, const std::string& steps = R"(["a","b","c"])") {
  return R"({"title":"Case number 7","explanation_steps":)" + steps + R"(,"explanation_steps_checks":[)" +
         checks + "]}\n";
}

std::string check(int step, const char* factual, const std::string& types = "[]") {
  return R"({"step":)" + std::string(1, static_cast<char>('0' + step)) + R"(,"is_factual":)" + factual +
         R"(,"is_critical":true,"explanation":"so","error_types":)" + types + "}";
}

std::string strict(const std::string& jsonl, const std::string& reasoning = "") {
  const VerdictTable table = table_of(jsonl);
  return statuses(judged_steps(&table.at(7), reasoning, Scorer::strict));
}

std::string official(const std::string& jsonl, const std::string& reasoning = "") {
  const VerdictTable table = table_of(jsonl);
  return statuses(judged_steps(&table.at(7), reasoning, Scorer::official));
}

TEST(StepVerdicts, are_placed_by_step_number_and_a_step_without_one_is_missing) {
  const std::string text = line(check(3, "true") + "," + check(1, "false", R"(["Reasoning Err"])"));
  EXPECT_EQ(strict(text), "ok-! missing ok+!");
}

TEST(StepVerdicts, refuse_words_for_flags_and_types_outside_of_the_list) {
  EXPECT_EQ(strict(line(check(1, "\"false\"") + "," + check(2, "false", R"(["Vibes Err"])") + "," +
                        check(3, "false"))),
            "invalid invalid invalid");
  EXPECT_EQ(strict(line(check(1, "true", R"(["Reasoning Err"])") + "," + check(2, "true") + "," +
                        check(2, "true"))),
            "invalid invalid missing");
}

TEST(StepVerdicts, without_numbers_count_by_position_only_where_there_are_as_many_as_steps) {
  const std::string one = R"({"is_factual":true,"is_critical":false,"explanation":"ok"})";
  EXPECT_EQ(strict(line(one + "," + one + "," + one)), "ok+ ok+ ok+");
  EXPECT_EQ(strict(line(one + "," + one)), "invalid invalid invalid");
}

TEST(StepVerdicts, of_blank_steps_are_none_in_strict_and_shift_the_others_in_official) {
  const std::string text =
      line(check(1, "true") + "," + check(2, "false", R"(["Reasoning Err"])"), R"(["a","","c"])");
  EXPECT_EQ(strict(text), "ok+! missing");
  EXPECT_EQ(official(text), "ok+! ok-! ok-");
}

TEST(StepVerdicts, by_official_rules_any_text_is_true_and_a_missing_verdict_is_an_error) {
  EXPECT_EQ(official(line(check(1, "\"false\""))), "ok+! ok- ok-");
  EXPECT_EQ(official(line(check(1, "true") + "," + check(2, "true") + "," + check(3, "true") + "," +
                          check(4, "false"))),
            "ok+! ok+! ok+!");
}

TEST(StepVerdicts, cut_the_reasoning_where_they_do_not_tell_the_steps) {
  const std::string flat = R"({"case":7,"step":2,"is_factual":true,"is_critical":false,"explanation":"yes"})"
                           "\n";
  EXPECT_EQ(strict(flat, "One. Two. Three."), "missing ok+ missing");
  EXPECT_EQ(strict(flat), "missing ok+");
  EXPECT_EQ(statuses(judged_steps(nullptr, "One. Two.", Scorer::strict)), "missing missing");
  EXPECT_TRUE(judged_steps(nullptr, "One. Two.", Scorer::official).empty());
}

TEST(StepVerdicts, are_read_from_tables_too) {
  const auto records = parse_csv_records(
      "title,step,is_factual,is_critical,explanation,error_types\n"
      "Case number 7,1,TRUE,0,fine,\nCase number 7,2,false,true,no,Reasoning Err; Medical Knowledge Err\n");
  ASSERT_TRUE(records.ok());
  const Result<VerdictTable> table = verdict_table(*records, "t.csv");
  ASSERT_TRUE(table.ok());
  const auto steps = judged_steps(&table->at(7), "", Scorer::strict);
  EXPECT_EQ(statuses(steps), "ok+ ok-!");
  EXPECT_EQ(steps[1].verdict.error_types, (std::array<bool, 4>{true, false, false, true}));
}

TEST(StepVerdicts, name_the_line_that_is_no_verdict) {
  const auto refusal = [](const std::string& jsonl) {
    const auto records = parse_jsonl_records(jsonl);
    const auto table = verdict_table(*records, "v.jsonl");
    return table.ok() ? "accepted" : table.error().text();
  };
  EXPECT_EQ(refusal("\n{\"title\":\"Case number 7\"}\n"),
            "v.jsonl, line 2, at /explanation_steps_checks: expected a list of verdicts, or \"step\", found "
            "neither");
  EXPECT_EQ(refusal(line("") + line("")),
            "v.jsonl, line 2: expected a case once, found \"Case number 7\" in line 1 too");
  EXPECT_EQ(refusal("{\"title\":7}\n").substr(0, 16), "v.jsonl, line 1,");
}

}  // namespace
}  // namespace fiducial
