#include "fiducial/board/answer_board.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "fiducial/base/file.h"

namespace fiducial {
namespace {

AnswerBoard board_of(const std::string& csv) {
  Result<AnswerBoard> out = answer_board_from_csv(parse_csv(csv).value(), 720);
  EXPECT_TRUE(out.ok()) << out.error().text();
  return *std::move(out);
}

TEST(RunLabel, follows_the_grammar_of_run_ids) {
  const auto label = [](const char* id) { return run_label(id); };
  EXPECT_EQ(label("api-gpt-5.2-xhighthinking-qmode-acc"),
            (RunLabel{"gpt-5.2", "Thinking", "xhigh", "no-ratio"}));
  EXPECT_EQ(label("api-gpt-5-mini-effort-low-ratio100-acc"),
            (RunLabel{"gpt-5-mini", "Unspecified", "low", "ratio100"}));
  EXPECT_EQ(label("vllm-Qwen2.5-VL-72B-Instruct-acc"),
            (RunLabel{"Qwen2.5-VL-72B-Instruct", "Non-thinking", "N/A", "no-ratio"}));
  EXPECT_EQ(label("vllm-qwen3.5-27b-thinking"),
            (RunLabel{"qwen3.5-27b", "Thinking", "standard", "no-ratio"}));
  EXPECT_EQ(label("API-gpt-5.2-NoThinking-ratio100"),
            (RunLabel{"gpt-5.2", "Non-thinking", "N/A", "ratio100"}));
  EXPECT_EQ(label("phi4"), (RunLabel{"phi4", "Unspecified", "N/A", "no-ratio"}));
  EXPECT_EQ(label("rethinking-1b").mode, "Unspecified");
  EXPECT_EQ(label("a--b-thinkingly-_"), (RunLabel{"a-b-thinkingly", "Unspecified", "N/A", "no-ratio"}));
}

TEST(RunLabel, leaves_runs_of_a_part_of_the_images_out) {
  EXPECT_TRUE(is_full_run("m-ratio100-acc") && is_full_run("m") && is_full_run("ratio-m"));
  EXPECT_FALSE(is_full_run("m-Ratio60-acc"));
}

TEST(BenchmarkFile, is_sorted_and_written_as_python_does) {
  const CsvTable runs = parse_csv(
                            "model,newacc\napi-b-acc,0.5\napi-A-thinking,0.5\n,0.9\nx,high\n"
                            "c-ratio20,0.9\n\"d \xC3\xA9\",1\ne,0.00005\n")
                            .value();
  const Result<GeneratedEntries> found = generated_entries(runs, false);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->skipped, 2);
  EXPECT_EQ(found->partial, 1);
  const std::string text = benchmark_json(found->entries, "runs.csv", "2026-01-02T03:04:05Z");
  EXPECT_TRUE(
      text.starts_with("{\n  \"name\": \"MedThinkVQA Benchmark Leaderboard\",\n  \"source_csv\": "
                       "\"runs.csv\",\n  \"generated_at\": \"2026-01-02T03:04:05Z\",\n  \"entries\": [\n"
                       "    {\n      \"model\": \"d \xC3\xA9\",\n      \"acc\": 1.0,\n"));
  EXPECT_NE(text.find("\"acc\": 5e-05"), std::string::npos);
  EXPECT_LT(text.find("\"A\""), text.find("\"b\""));
  EXPECT_TRUE(text.ends_with("    }\n  ]\n}\n"));
  EXPECT_EQ(generated_entries(parse_csv("model,newacc\na,57.2\n").value(), false).error().text(),
            "line 2, at column 2: newacc: expected an accuracy from 0 to 1, found \"57.2\"");
}

TEST(BenchmarkFile, trims_ids_and_takes_any_size_by_official_rules) {
  const CsvTable runs =
      parse_csv("model,newacc\n\" x-thinking \xC2\xA0\",inf\n\"y \",-inf\n\tz-ratio60 ,1\n").value();
  const Result<GeneratedEntries> found = generated_entries(runs, true);
  ASSERT_TRUE(found.ok()) << found.error().text();
  ASSERT_EQ(found->entries.size(), 2U);
  EXPECT_EQ(found->entries[0].run, (RunLabel{"x", "Thinking", "standard", "no-ratio"}));
  const std::string text = benchmark_json(found->entries, "runs.csv", "T");
  EXPECT_NE(text.find("\"acc\": Infinity,"), std::string::npos);
  EXPECT_NE(text.find("\"acc\": -Infinity,"), std::string::npos);
  EXPECT_EQ(generated_entries(parse_csv("model,newacc\na,nan\n").value(), true).error().text(),
            "line 2, at column 2: newacc: expected a number, found \"nan\"");
}

TEST(AnswerBoard, holds_the_order_among_runs_that_saw_as_many_images) {
  const AnswerBoard board = board_of(
      "model,mode,effort,ratio_bucket,correct\na,Thinking,low,ratio100,30\na,Thinking,low,ratio60,10\n"
      "b,Thinking,low,no-ratio,20\nb,Thinking,low,ratio60,15\n");
  ASSERT_EQ(board.notes.size(), 1U);
  EXPECT_TRUE(board.notes[0].starts_with("a Thinking low (10) stands before b Thinking low (15)"));
}

TEST(AnswerBoard, shares_ranks_and_groups_what_intervals_do_not_tell_apart) {
  const AnswerBoard board = board_of(
      "model,mode,effort,ratio_bucket,correct\na,Unspecified,N/A,no-ratio,412\nb,Thinking,low,no-ratio,398\n"
      "c,Thinking,low,no-ratio,398\nd,Thinking,low,no-ratio,151\n");
  const std::vector<RankedAnswer> places = ranked(board);
  EXPECT_EQ(places[1].rank, 2U);
  EXPECT_EQ(places[2].rank, 2U);
  EXPECT_TRUE(places[1].tied && places[2].tied && !places[0].tied);
  EXPECT_EQ(places[3].rank, 4U);
  EXPECT_EQ(places[2].tie_group, 1U);
  EXPECT_EQ(places[3].tie_group, 2U);
  EXPECT_NEAR(places[0].wilson95.low, 0.5358, 5e-5);
  EXPECT_NEAR(places[0].wilson95.high, 0.6079, 5e-5);
}

TEST(AnswerBoard, names_what_stands_against_the_order) {
  const AnswerBoard board = board_of(
      "model,mode,effort,ratio_bucket,correct\na,Thinking,low,no-ratio,10\nb,Thinking,low,no-ratio,20\n");
  ASSERT_EQ(board.notes.size(), 1U);
  EXPECT_TRUE(board.notes[0].starts_with("a Thinking low (10) stands before b Thinking low (20)"));
}

TEST(AnswerBoard, is_read_back_as_it_was_written) {
  const AnswerBoard board =
      board_of("model,mode,effort,ratio_bucket,correct\ngpt-5.2,Thinking,high,no-ratio,392\n");
  ASSERT_EQ(board.entries[0].notes.size(), 1U);
  const Json document = answer_board_json(board, "x.csv", sha256({}));
  const Result<AnswerBoard> again = parse_answer_board(document);
  ASSERT_TRUE(again.ok()) << again.error().text();
  EXPECT_EQ(answer_board_json(*again, "x.csv", sha256({})).compact(), document.compact());
}

TEST(AnswerBoard, takes_the_published_rows_as_integers_with_their_conflicts) {
  const char* folder = std::getenv("FIDUCIAL_SPECS");  // NOLINT(concurrency-mt-unsafe): one thread
  const Path file = Path(folder == nullptr ? "" : folder) / "medthinkvqa_leaderboard.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " (FIDUCIAL_SPECS)";
  const AnswerBoard board = board_of(read_text_file(file).value());
  ASSERT_EQ(board.entries.size(), 59U);
  std::size_t conflicts = 0;
  for (const AnswerEntry& entry : board.entries) conflicts += entry.notes.size();
  EXPECT_EQ(conflicts, 8U);
  ASSERT_EQ(board.notes.size(), 2U);
  EXPECT_TRUE(
      board.notes[1].starts_with("gpt-5.2 Thinking medium (384) stands before gpt-5.2 Thinking high (392)"));
  EXPECT_EQ(ranked(board)[2].tie_group, 1U);
  EXPECT_EQ(ranked(board).back().entry->correct, 151);
}

}  // namespace
}  // namespace fiducial
